"""What is answered where something is wrong: with what is asked, with the store, or with our own code."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.routing import Match

from lineage_core.errors import LineageError, NeedsOperator, NotInStore, SchemaDiffers, TryAgain, WrongUsage
from lineage_core.pages.page import all_pages
from lineage_core.pages.responses import own_path, response, secured

UNFORESEEN = (
    "Something went wrong here, and that is no fault of yours. The log of the server says what, at this time. Load the"
    " page again; if it fails again, tell who runs the server the address and the time."
)
"""Of an error of our own nothing else is shown: it may repeat what only the store should know."""


def answer_failures(pages: FastAPI) -> None:
    """Has each error answered by a page of its own, or as JSON, with what is wrong and what to do next."""
    for kind in (LineageError, RequestValidationError, StarletteHTTPException):
        pages.add_exception_handler(kind, _failure)
    pages.add_exception_handler(Exception, _unforeseen)


async def _failure(request: Request, error: Exception) -> Response:
    is_act = request.method == "POST" and own_path(request).startswith("/acts/")
    status, what = _described(error)
    if is_act and isinstance(error, NotInStore):
        status = HTTPStatus.UNPROCESSABLE_ENTITY  # the address of the act is there
    made = _page(request, status, what, is_act=is_act)
    for name, value in (getattr(error, "headers", None) or {}).items():
        made.headers[name] = value
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        made.headers["Allow"] = ", ".join(_methods(request))
    return made


async def _unforeseen(request: Request, _error: Exception) -> Response:
    """The server raises the error again behind this, so that its log has the traceback. No middleware is between."""
    return secured(_page(request, HTTPStatus.INTERNAL_SERVER_ERROR, UNFORESEEN, is_act=False))


def _page(request: Request, status: int, what: str, *, is_act: bool) -> Response:
    heading = "This was not done" if is_act else "This cannot be shown"
    path = own_path(request).removeprefix("/acts") if is_act else own_path(request)
    back = next((page.address for page in all_pages() if page.address == path), None)
    # What was typed stands there to be mended. Of what was posted a browser keeps it, behind its own way back.
    typed = request.query_params.multi_items()[:_MOST_TYPED] if back and request.method == "GET" else []
    document = {"status": int(status), "error": what}
    return response(request, document, "failure", status, heading=heading, back=back, typed=typed)


_MOST_TYPED = 50
"""Parameters of an address that are repeated."""


def _methods(request: Request) -> list[str]:
    """Those that the address has: several routes may have it."""
    of_address = (
        getattr(route, "methods", None) or ()
        for route in request.app.routes
        if route.matches(request.scope)[0] is not Match.NONE
    )
    return sorted({method for methods in of_address for method in methods})


_STATUSES: tuple[tuple[type[LineageError], HTTPStatus], ...] = (
    (NotInStore, HTTPStatus.NOT_FOUND),
    (WrongUsage, HTTPStatus.UNPROCESSABLE_ENTITY),
    (SchemaDiffers, HTTPStatus.INTERNAL_SERVER_ERROR),
    (NeedsOperator, HTTPStatus.CONFLICT),
    (TryAgain, HTTPStatus.SERVICE_UNAVAILABLE),
    (LineageError, HTTPStatus.INTERNAL_SERVER_ERROR),
)
"""Of our own errors: that of the first class that fits."""


def _described(error: Exception) -> tuple[int, str]:
    if isinstance(error, LineageError):
        status = next(status for kind, status in _STATUSES if isinstance(error, kind))
        again = ". Load the page again in a moment." if isinstance(error, TryAgain) else ""
        return status, f"{error}{again}"
    if isinstance(error, RequestValidationError):
        return HTTPStatus.UNPROCESSABLE_ENTITY, "; ".join(map(_wrong_parameter, error.errors()))
    if isinstance(error, StarletteHTTPException | HTTPException):
        return error.status_code, str(error.detail)
    raise error


_WORDS = {
    "missing": "it is missing",
    "int_parsing": "{input!r} is no whole number",
    "int_parsing_size": "{input!r} is no number of a row",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "bool_parsing": "{input!r} is neither true nor false",
    "uuid_parsing": "{input!r} is no uuid, such as 0190a0a0-0000-7000-8000-000000000001",
    "enum": "{input!r} is none of {expected}",
    "literal_error": "{input!r} is none of {expected}",
    "datetime_from_date_parsing": "{input!r} is not an ISO 8601 date and time, such as 2026-11-21T06:00:00Z",
    "datetime_parsing": "{input!r} is not an ISO 8601 date and time, such as 2026-11-21T06:00:00Z",
}
"""What is wrong with a parameter, by the kind of error that Pydantic gives it."""

_LONGEST_INPUT = 100
"""Characters of what was typed that are repeated."""


def _wrong_parameter(found: Any) -> str:
    """The name of the parameter, without the kinds that Pydantic tried, and what it should be."""
    name = str(found["loc"][1]) if len(found["loc"]) > 1 else "The address"
    words = _WORDS.get(found["type"])
    if words is None:
        return f"{name}: {found['msg']}"
    typed = str(found.get("input"))[:_LONGEST_INPUT]
    return f"{name}: {words.format_map({'input': typed} | found.get('ctx', {}))}"
