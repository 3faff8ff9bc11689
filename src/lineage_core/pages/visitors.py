"""Who looks at a page. No route is answered before this is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import HTTPException, Request


@dataclass(frozen=True)
class Visitor:
    """name: as the proxy or Airflow knows the person; None on this machine, where it is whoever started the pages."""

    name: str | None


Identify = Callable[..., Any]
"""A dependency of FastAPI that gives the Visitor of a request, or raises HTTPException."""


def whoever_is_here() -> Visitor:
    """For pages on a loopback address, which no one else can reach."""
    return Visitor(None)


def named_by(header: str) -> Identify:
    """For pages behind a proxy that says in this header who the person is. A request without it is refused."""

    def visitor(request: Request) -> Visitor:
        names = request.headers.getlist(header)
        if len(names) != 1 or not names[0].strip():
            raise HTTPException(HTTPStatus.UNAUTHORIZED, f"The proxy did not say in {header} who you are. Log in there")
        return Visitor(names[0].strip())

    return visitor
