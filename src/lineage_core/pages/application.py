"""The pages as an ASGI application: for people as HTML, for programs as JSON, at the same addresses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException

from lineage_core.command_line.results import json_text
from lineage_core.errors import LineageError, NeedsOperator, TryAgain, WrongUsage
from lineage_core.pages.acted import act_endpoint, acting_visitor, person_of
from lineage_core.pages.acting import all_acts
from lineage_core.pages.forms import give, token_of
from lineage_core.pages.page import LineagePage, all_pages
from lineage_core.pages.rendering import rendered
from lineage_core.pages.spreadsheets import Spreadsheet
from lineage_core.pages.static_files import static_file
from lineage_core.pages.visitors import Identify
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " frame-ancestors 'self'; form-action 'self'; base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""What an event says is text. Should it ever come out as markup, a browser still runs and loads nothing of it."""


def application(store: ReaderStore, identify: Identify, acts: Store | None = None) -> FastAPI:
    """identify: who looks; it is asked before each route, those of files and of the description included. acts: the
    store by the login of an operator; None where pages only look."""
    made = FastAPI(
        title="Lineage",
        description="What the lineage store knows. Every page is JSON below /api, and for `Accept: application/json`.",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(_remembering(identify))],
    )
    made.state.store = store
    made.state.acts = acts
    made.middleware("http")(_with_security_headers)
    for page in all_pages():
        made.add_api_route(
            page.address,
            _endpoint(page.answer, page.name),
            methods=["GET"],
            response_class=Response,
            include_in_schema=False,
        )
        name = page.address if page.address != "/" else f"/{page.name}"
        made.add_api_route(
            f"/api{name}",
            _endpoint(page.answer, page.name),
            methods=["GET"],
            response_class=Response,
            summary=_summary(page),
        )
        if page.posted is not None:
            for address in (page.address, f"/api{name}"):
                made.add_api_route(
                    address,
                    _endpoint(page.posted, page.name),
                    methods=["POST"],
                    response_class=Response,
                    include_in_schema=False,
                )
        if page.spreadsheet is not None:
            made.add_api_route(
                f"/csv/{page.name}",
                _csv_endpoint(page, page.spreadsheet),
                methods=["GET"],
                response_class=Response,
                include_in_schema=False,
            )
    for acting in all_acts().values():
        made.add_api_route(
            acting.address,
            act_endpoint(acting, _question),
            methods=["POST"],
            response_class=Response,
            include_in_schema=False,
        )
    made.add_api_route("/api/openapi.json", made.openapi, methods=["GET"], include_in_schema=False)
    made.add_api_route("/static/{name}", static_file, methods=["GET"], include_in_schema=False)
    for kind in (LineageError, RequestValidationError, StarletteHTTPException):
        made.add_exception_handler(kind, _failure)
    return made


def _remembering(identify: Identify) -> Callable[..., None]:
    """Who looks is known to whatever answers."""

    def known(request: Request, visitor: Any = Depends(identify)) -> None:  # noqa: B008 - as FastAPI reads it
        request.state.visitor = visitor

    return known


def _question(request: Request, question: Any, page: str) -> Response:
    return _response(request, question, "act", page=page, person=person_of(request.state.visitor))


def _summary(page: LineagePage) -> str:
    return (page.answer.__doc__ or page.name).partition("\n")[0]


def _endpoint(answer: Callable[..., Any], template: str) -> Callable[..., Response]:
    def answered(request: Request, document: Any = Depends(answer)) -> Response:  # noqa: B008 - as FastAPI reads it
        return _response(request, document, template)

    return answered


def _csv_endpoint(page: LineagePage, spreadsheet: Callable[[Any], Spreadsheet]) -> Callable[..., Response]:
    """The name of the file says where it is a part only: nothing within it could."""

    def answered(document: Any = Depends(page.answer)) -> Response:  # noqa: B008 - as FastAPI reads it
        made = spreadsheet(document)
        name = f"{page.name}.csv" if made.complete else f"{page.name}-not-complete.csv"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(made.text, HTTPStatus.OK, headers, "text/csv; charset=utf-8")

    return answered


async def _with_security_headers(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await answer(request)
    for name, value in SECURITY_HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _response(request: Request, document: Any, template: str, status: int = HTTPStatus.OK, **others: str) -> Response:
    """others: what the template needs beside the document."""
    if wants_json(request):
        content = json_text(document)
        return Response(content, status, {"Vary": "Accept", "Cache-Control": "no-store"}, "application/json")
    token, acting = token_of(request), acting_visitor(request, template)
    page = rendered(request, template, document, token=token, acting=acting, **others)
    made = Response(page, status, {"Vary": "Accept", "Cache-Control": "no-store"}, "text/html; charset=utf-8")
    if acting.may_act or template == "act":
        give(made, request, token)
    return made


def wants_json(request: Request) -> bool:
    """Below /api always; elsewhere where JSON is asked for, and a page is not."""
    accepted = request.headers.get("accept", "")
    return _own_path(request).startswith("/api/") or ("application/json" in accepted and "text/html" not in accepted)


def _own_path(request: Request) -> str:
    return str(request.scope["path"]).removeprefix(str(request.scope.get("root_path", "")))


async def _failure(request: Request, error: Exception) -> Response:
    """A page of its own, with what is wrong and what to do next."""
    is_act = request.method == "POST" and _own_path(request).startswith("/acts/")
    status, what = (_refused_act(error) if is_act else None) or _described(error)
    heading = "This was not done" if is_act else "This cannot be shown"
    return _response(request, {"status": int(status), "error": what}, "failure", status, heading=heading)


def _refused_act(error: Exception) -> tuple[int, str] | None:
    """An act that means nothing, or that what has happened meanwhile does not allow; None for other errors."""
    if isinstance(error, WrongUsage):
        return HTTPStatus.UNPROCESSABLE_ENTITY, str(error)
    if isinstance(error, NeedsOperator):
        return HTTPStatus.CONFLICT, str(error)
    return None


def _described(error: Exception) -> tuple[int, str]:
    if isinstance(error, WrongUsage):
        return HTTPStatus.NOT_FOUND, str(error)
    if isinstance(error, TryAgain):
        return HTTPStatus.SERVICE_UNAVAILABLE, f"{error}. Load the page again in a moment."
    if isinstance(error, LineageError):
        return HTTPStatus.INTERNAL_SERVER_ERROR, str(error)
    if isinstance(error, RequestValidationError):
        return HTTPStatus.UNPROCESSABLE_ENTITY, "; ".join(map(_wrong_parameter, error.errors()))
    if isinstance(error, StarletteHTTPException | HTTPException):
        return error.status_code, str(error.detail)
    raise error


def _wrong_parameter(found: Any) -> str:
    return f"{'.'.join(map(str, found['loc'][1:]))}: {found['msg']}"
