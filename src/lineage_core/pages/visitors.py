"""Who looks at a page. No route is answered before this is known."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from fastapi import HTTPException, Request


@dataclass(frozen=True)
class Visitor:
    """name: as the proxy or Airflow knows the person; None on this machine, where it is whoever started the pages.
    may_act: whether that is an operator, where the pages act at all."""

    name: str | None
    may_act: bool = False


Identify = Callable[..., Any]
"""A dependency of FastAPI that gives the Visitor of a request, or raises HTTPException."""


def whoever_is_here() -> Visitor:
    """For pages on a loopback address, which no one else can reach."""
    return Visitor(None, may_act=True)


def _as_written(value: str) -> str:
    """Headers come as Latin-1, and proxies write UTF-8 into them."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeError:
        return value


def named_by(header: str, operators: Collection[str] = ()) -> Identify:
    """For pages behind a proxy that says in this header who the person is. A request without it is refused.

    operators: the names of those who may act.
    """

    def visitor(request: Request) -> Visitor:
        names = request.headers.getlist(header)
        if len(names) != 1 or not names[0].strip():
            raise HTTPException(HTTPStatus.UNAUTHORIZED, f"The proxy did not say in {header} who you are. Log in there")
        name = _as_written(names[0].strip())
        return Visitor(name, may_act=name in operators)

    return visitor
