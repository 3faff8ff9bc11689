"""The pages as an ASGI application: for people as HTML, for programs as JSON, at the same addresses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from starlette.responses import JSONResponse

from lineage_core.openlineage.json_limits import is_storable
from lineage_core.pages import description
from lineage_core.pages.acted import act_endpoint, person_of
from lineage_core.pages.acting import all_acts
from lineage_core.pages.failures import answer_failures
from lineage_core.pages.page import LineagePage, all_pages
from lineage_core.pages.responses import response, secured
from lineage_core.pages.spreadsheets import Spreadsheet
from lineage_core.pages.static_files import static_file
from lineage_core.pages.visitors import Identify
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store


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
        dependencies=[Depends(_remembering(identify)), Depends(_refuse_unstorable)],
    )
    made.state.store = store
    made.state.acts = acts
    made.middleware("http")(_with_security_headers)
    for page in all_pages():
        _add_get(made, page.address, _endpoint(page.answer, page.name), include_in_schema=False)
        name = page.address if page.address != "/" else f"/{page.name}"
        _add_get(
            made,
            f"/api{name}",
            _endpoint(page.answer, page.name),
            summary=_summary(page.answer, page),
            responses={**description.answered(f"{page.name.title()}Answer", page.answer), **description.ERRORS},
        )
        if page.posted is not None:
            for address in (page.address, f"/api{name}"):
                made.add_api_route(
                    address,
                    _endpoint(page.posted, page.name),
                    methods=["POST"],
                    response_class=Response,
                    include_in_schema=address != page.address,
                    summary=_summary(page.posted, page),
                    responses={
                        **description.answered(f"{page.name.title()}OfForm", page.posted),
                        **description.ERRORS,
                    },
                    openapi_extra=dict(description.POSTED),
                )
        if page.spreadsheet is not None:
            _add_get(
                made,
                f"/csv/{page.name}",
                _csv_endpoint(page, page.spreadsheet),
                summary=_summary(page.answer, page),
                responses={**description.CSV, **description.ERRORS},
            )
    for acting in all_acts().values():
        made.add_api_route(
            acting.address,
            act_endpoint(acting, _question),
            methods=["POST"],
            response_class=Response,
            include_in_schema=False,
        )
    _add_get(made, "/api/openapi.json", description.description, include_in_schema=False, response_class=JSONResponse)
    _add_get(made, "/static/{name}", static_file, include_in_schema=False)
    answer_failures(made)
    return made


def _add_get(
    pages: FastAPI,
    address: str,
    endpoint: Callable[..., Any],
    *,
    response_class: type[Response] = Response,
    **described: Any,
) -> None:
    """For HEAD, too, which servers answer without the content. Its route is another: one of two methods would be two
    operations of one name."""
    for method, described_so in (("GET", described), ("HEAD", {"include_in_schema": False})):
        pages.add_api_route(address, endpoint, methods=[method], response_class=response_class, **described_so)


def _remembering(identify: Identify) -> Callable[..., None]:
    """Who looks is known to whatever answers."""

    def known(request: Request, visitor: Any = Depends(identify)) -> None:  # noqa: B008 - as FastAPI reads it
        request.state.visitor = visitor

    return known


def _refuse_unstorable(request: Request) -> None:
    """No name and no text of the store has such a character, and Postgres cannot be asked for one."""
    for name, value in request.query_params.multi_items():
        if not is_storable(value):
            raise HTTPException(HTTPStatus.UNPROCESSABLE_ENTITY, f"{name}: it has a character that no text here has")


def _question(request: Request, question: Any, page: str) -> Response:
    return response(request, question, "act", page=page, person=person_of(request.state.visitor))


def _summary(answer: Callable[..., Any], page: LineagePage) -> str:
    return (answer.__doc__ or page.name).partition("\n")[0]


def _endpoint(answer: Callable[..., Any], template: str) -> Callable[..., Response]:
    def answered(request: Request, document: Any = Depends(answer)) -> Response:  # noqa: B008 - as FastAPI reads it
        return response(request, document, template)

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
    return secured(await answer(request))
