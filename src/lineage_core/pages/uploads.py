"""Documents that a person sends with a form, to ask about what they describe. Nothing of them is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException as StarletteHTTPException

from lineage_core.errors import WrongUsage
from lineage_core.openlineage.json_limits import is_storable

LARGEST = 32_000_000
"""Bytes of a form with its document: dbt's manifest of a thousand models has about ten million."""

LARGEST_PASTED = 2_000_000
"""Bytes of what is typed or pasted into a field: more is a file."""


LARGEST_CONTRACT = 1_000_000
"""Bytes of a data contract, which has some ten thousand columns then: YAML takes a hundred times as long as JSON to
read, and others wait for this process."""


class DocumentKind(StrEnum):
    """What a document describes columns as."""

    MANIFEST = "manifest"
    CONTRACT = "contract"
    SCHEMA = "schema"
    """Of one dataset."""


@dataclass(frozen=True)
class SentDocument:
    """namespace: that of its datasets. name: as the person has it; empty if it was pasted. dataset: of a schema, the
    name of its dataset; empty of other documents.
    """

    kind: DocumentKind
    namespace: str
    name: str
    text: str
    dataset: str = ""


async def _sent_document(request: Request) -> SentDocument:
    """Raises HTTPException for a form of another site, or one that is too large; WrongUsage for what lacks a part."""
    refuse_other_sites(request)
    length = request.headers.get("content-length", "")
    if not length.isdigit() or int(length) > LARGEST:
        what = f"Send at most {LARGEST:,} bytes, with their number. `lineage impact` takes larger files."
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, what)
    try:
        async with request.form(max_files=1, max_fields=10, max_part_size=LARGEST_PASTED) as form:
            given = {name: value for name, value in form.items() if isinstance(value, str)}
            file = form.get("document")
            sent = await file.read() if isinstance(file, UploadFile) else b""
            name = (file.filename or "") if isinstance(file, UploadFile) else ""
    except StarletteHTTPException as error:
        # So Starlette raises its MultiPartException within an application, whose words are all that says why.
        if "exceeded maximum size" in error.detail:
            what = f"Paste at most {LARGEST_PASTED:,} bytes, or choose the file: it may have {LARGEST:,}."
            raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, what) from error
        raise WrongUsage(f"This is no form with a document: {error.detail}") from error
    pasted = given.get("pasted", "")
    if sent and pasted.strip():
        raise WrongUsage("A file was chosen, and a text was pasted: send one of them.")
    document = sent if sent else pasted.strip().encode()
    return _checked(given, name if sent else "", document)


Sent = Annotated[SentDocument, Depends(_sent_document)]


def _checked(given: Mapping[str, str], name: str, sent: bytes) -> SentDocument:
    kind, namespace = given.get("kind", ""), given.get("namespace", "").strip()
    if not sent or not namespace or kind not in list(DocumentKind):
        raise WrongUsage("Choose a file or paste its text, say what it is, and give the namespace of its datasets.")
    dataset = given.get("dataset", "") if kind == DocumentKind.SCHEMA else ""
    if kind == DocumentKind.SCHEMA and not dataset:
        raise WrongUsage("A schema is that of one dataset: open the impact page of the dataset, and give it there.")
    if kind == DocumentKind.CONTRACT and len(sent) > LARGEST_CONTRACT:
        what = f"Send a data contract of at most {LARGEST_CONTRACT:,} bytes. `lineage impact` takes larger ones."
        raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, what)
    if not (is_storable(namespace) and is_storable(dataset)):
        raise WrongUsage("The namespace or the name of the dataset has a character that no name here has.")
    try:
        return SentDocument(DocumentKind(kind), namespace, name, sent.decode(), dataset)
    except UnicodeDecodeError as error:
        raise WrongUsage(f"{name or 'The file'} is no text in UTF-8: {error}") from error


def refuse_other_sites(request: Request) -> None:
    """A page of another site can have a browser send a form here, with the person's own session. Browsers say from
    where: those of today by Sec-Fetch-Site, others by Origin. Raises HTTPException for another site than this one."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        is_ours = site in ("same-origin", "none")
    else:
        # The scheme is left out: a proxy may speak TLS for this server.
        is_ours = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    if not is_ours:
        raise HTTPException(
            HTTPStatus.FORBIDDEN, "This was sent by a page of another site. Send it from the page here."
        )
