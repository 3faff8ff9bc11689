"""Serving the pages by uvicorn, on a loopback address or behind a proxy that says who the person is."""

from __future__ import annotations

from collections.abc import Collection

import uvicorn
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import RedirectResponse
from starlette.routing import Mount, Route

from lineage_core.errors import WrongUsage
from lineage_core.local.ports import PAGES, is_loopback, listening
from lineage_core.pages.application import application
from lineage_core.pages.visitors import named_by, whoever_is_here
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store

_NAMES_OF_THIS_MACHINE = ["127.0.0.1", "localhost", "[::1]", "::1"]


def serve(
    store: Store,
    host: str,
    port: int,
    user_header: str | None,
    acts: Store | None = None,
    operators: Collection[str] = (),
) -> None:
    """Serves until a signal asks to end.

    acts: the store by the login that acts; without it the pages only look. operators: who may act, of those whom a
    proxy names. Raises WrongUsage where others could reach pages that do not ask who they are, NeedsOperator if the
    port is taken.
    """
    if user_header is None and not is_loopback(host):
        raise WrongUsage(
            f"Others can reach {host}. Let a proxy say who they are, and name its header by --user-header; or listen on"
            " a loopback address, such as 127.0.0.1."
        )
    if operators and user_header is None:
        raise WrongUsage("--operator names people whom a proxy names: name its header by --user-header, too")
    config = uvicorn.Config(
        served(store, user_header, acts, operators), server_header=False, access_log=False, ws="none"
    )
    uvicorn.Server(config).run(sockets=[listening(host, port)])


def served(
    store: Store, user_header: str | None = None, acts: Store | None = None, operators: Collection[str] = ()
) -> Starlette:
    """What is served. Without a proxy, a request must name this machine as its host: another site's page, whose name
    was made to lead here, is refused."""
    identify = whoever_is_here if user_header is None else named_by(user_header, operators)
    pages: FastAPI = application(ReaderStore(store.dsn, "lineage pages"), identify, acts)
    hosts = ["*"] if user_header is not None else _NAMES_OF_THIS_MACHINE
    return Starlette(
        routes=[Route("/", _to_pages), Mount(PAGES, pages)],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=hosts)],
    )


def _to_pages(_request: object) -> RedirectResponse:
    return RedirectResponse(f"{PAGES}/")
