"""The receiver in Airflow's API server, below `/lineage`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from lineage_core.postgres.store import Store
from lineage_core.settings import ingest_dsn_from_environment

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import Receive, Scope, Send

URL_PREFIX = "/lineage"


class MountedReceiver:
    """An ASGI application for that store; each producer needs a token.

    It is made for the first request: every process of Airflow imports plugins, and the API server alone gets requests.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._application(scope, receive, send)

    @cached_property
    def _application(self) -> FastAPI:
        from lineage_core.receiver.serving import ServedReceiver

        return ServedReceiver(self._store)()


def mounted_receivers() -> list[dict[str, Any]]:
    """What Airflow mounts: none where neither `LINEAGE_INGEST_DSN` nor `LINEAGE_DSN` says where events are to go."""
    dsn = ingest_dsn_from_environment()
    return [] if dsn is None else [{"app": MountedReceiver(Store(dsn)), "url_prefix": URL_PREFIX, "name": "lineage"}]
