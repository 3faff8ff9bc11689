"""What happens when a run of `normalize_lineage` has not ended in time: its log, and who looks at it, learn of it.

It runs in Airflow's triggerer, so it needs no free slot of an executor, and it does not travel as lineage: a transport
that is broken, or a store that takes no events, is what it may have to tell of.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from airflow.configuration import conf

from lineage_core.errors import LineageError
from lineage_core.normalize.operation import NORMALIZATION, WAITING
from lineage_core.operate.whole_store import StoreStatus, store_status
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings, store_list_from_environment

LATE_AFTER = timedelta(minutes=30)
"""From the moment that a run is queued. `lineage doctor` lets events wait as long."""

_log = logging.getLogger(__name__)


async def report(context: Mapping[str, Any]) -> str:
    """Logs an error, and returns it, which Airflow keeps with the callback: which run is late, and what waits."""
    sentence = f"{_run(context)} has not ended {LATE_AFTER} after it was queued. {await asyncio.to_thread(_waiting)}"
    _log.error("%s What to do stands on %s; `lineage doctor` looks for the cause.", sentence, _page(context))
    return sentence


def _page(context: Mapping[str, Any]) -> str:
    """The DAG's page in Airflow, which has its remedies: a wheel has no docs."""
    dag, base = context["dag_run"]["dag_id"], conf.get("api", "base_url", fallback="").rstrip("/")
    return f"{base}/dags/{dag}" if base else f"Airflow's page of the DAG {dag}"


def _run(context: Mapping[str, Any]) -> str:
    run = context["dag_run"]
    return f"The run {run['dag_run_id']} of {run['dag_id']}"


def _waiting() -> str:
    """What the store says, or each of the list."""
    try:
        listed = store_list_from_environment()
    except LineageError as error:
        return f"The list of stores cannot be read: {error}."
    if listed is None:
        return _waiting_in(None)
    return " ".join(f"{name}: {_waiting_in(name)}" for name in listed.stores)


def _waiting_in(name: str | None) -> str:
    """If the store cannot be asked, why not, which may be why the run is late."""
    try:
        settings = ProjectSettings.from_environment() if name is None else ProjectSettings.of_store(name)
        if settings.dsn is None:
            return "LINEAGE_DSN is not set in the triggerer."
        return _described(store_status(Store(settings.dsn), (WAITING, NORMALIZATION)))
    except LineageError as error:
        return f"The store cannot be asked: {error}."


def _described(status: StoreStatus) -> str:
    waiting, holder = status[WAITING], status[NORMALIZATION].holder
    least = "At least " if waiting.is_more else ""
    events = (
        "No events wait" if waiting.since is None else f"{least}{waiting.events:,} events wait since {waiting.since}"
    )
    return f"{events}; {holder or 'no run'} is at work."
