"""The script, styles and picture of the pages: files that were built, and lie beside this module."""

from __future__ import annotations

import hashlib
from functools import cache
from http import HTTPStatus
from pathlib import Path

from fastapi import HTTPException, Request, Response

FOLDER = Path(__file__).parent / "static"

_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


@cache
def all_files() -> dict[str, bytes]:
    """By name. No name comes from a request, so that none can lead out of the folder."""
    return {file.name: file.read_bytes() for file in FOLDER.iterdir() if file.suffix in _KINDS}


@cache
def digest() -> str:
    """Of all of them. It stands in their addresses, so that a browser may keep them for ever."""
    return hashlib.sha256(b"".join(all_files()[name] for name in sorted(all_files()))).hexdigest()[:12]


def static_file(name: str, request: Request) -> Response:
    content = all_files().get(name)
    if content is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"There is no file {name}")
    age = "private, max-age=31536000, immutable" if request.query_params.get("v") == digest() else "no-cache"
    return Response(content, headers={"Cache-Control": age}, media_type=_KINDS[Path(name).suffix])
