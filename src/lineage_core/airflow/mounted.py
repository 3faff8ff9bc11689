"""What Airflow's API server answers below `/lineage`: pages for who has logged in to Airflow, and the receiver for who
has a token of ours."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from lineage_core.local.ports import PAGES
from lineage_core.postgres.store import Store
from lineage_core.settings import (
    ingest_dsn_from_environment,
    operator_dsn_from_environment,
    reader_dsn_from_environment,
)

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from lineage_core.pages.visitors import Identify

_OF_THE_RECEIVER = ("/api/v1/lineage", "/healthz", "/readyz")


class MountedLineage:
    """An ASGI application over a store that events are added to, and the same store as a reader sees it, and as
    operators act on it, if they do. Where the environment lists several stores, events are routed to them, and the
    pages are those of the default store.

    Both parts are made for their first request: every process of Airflow imports plugins, and the API server alone gets
    requests.
    """

    def __init__(self, added_to: Store, read: Store, acts: Store | None = None) -> None:
        self._added_to = added_to
        self._read = read
        self._acts = acts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", "")).removeprefix(str(scope.get("root_path", "")))
        part = self._receiver if path.startswith(_OF_THE_RECEIVER) else self._pages
        await part(scope, receive, send)

    @cached_property
    def _receiver(self) -> ASGIApp:
        from lineage_core.receiver.serving import ServedReceiver, served_stores

        return ServedReceiver(served_stores() or self._added_to)()

    @cached_property
    def _pages(self) -> ASGIApp:
        from lineage_core.pages.application import application
        from lineage_core.postgres.reader_store import ReaderStore

        return application(ReaderStore(self._read.dsn, "lineage pages"), _who_has_logged_in(), self._acts)


def _who_has_logged_in() -> Identify:
    """Whoever may look at DAGs may look at their lineage. Whoever may change pools, by which the work of DAGs is
    steered, may act."""
    from airflow.api_fastapi.app import get_auth_manager
    from airflow.api_fastapi.core_api.security import get_user, requires_access_dag
    from fastapi import Depends

    from lineage_core.pages.visitors import Visitor

    may_look = Depends(requires_access_dag(method="GET"))

    def visitor(user: Any = Depends(get_user), _allowed: Any = may_look) -> Visitor:  # noqa: B008 - as FastAPI reads it
        return Visitor(user.get_name(), may_act=get_auth_manager().is_authorized_pool(method="PUT", user=user))

    return visitor


def mounted_applications() -> list[dict[str, Any]]:
    """What Airflow mounts: nothing where neither `LINEAGE_INGEST_DSN` nor `LINEAGE_DSN` says where the store is."""
    dsn = ingest_dsn_from_environment()
    if dsn is None:
        return []
    read = reader_dsn_from_environment() or dsn
    operator = operator_dsn_from_environment()
    acts = None if operator is None else Store(operator)
    return [{"app": MountedLineage(Store(dsn), Store(read), acts), "url_prefix": PAGES, "name": "lineage"}]


def pages_in_airflow() -> list[dict[str, str]]:
    """Where Airflow shows the pages: in its navigation, and as tabs that open on the DAG or the run in view."""
    if ingest_dsn_from_environment() is None:
        return []
    from airflow.configuration import conf

    root = urlsplit(conf.get("api", "base_url", fallback="")).path.rstrip("/") + PAGES
    return [
        {"name": "Lineage", "href": f"{root}/", "url_route": "lineage", "destination": "nav", "category": "browse"},
        {
            "name": "Lineage",
            "href": f"{root}/dags?dag={{DAG_ID}}",
            "url_route": "lineage-of-dag",
            "destination": "dag",
        },
        {
            "name": "Lineage",
            "href": f"{root}/dags?dag={{DAG_ID}}&run={{RUN_ID}}",
            "url_route": "lineage-of-run",
            "destination": "dag_run",
        },
    ]
