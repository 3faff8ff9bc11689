"""Which runs began last: those of which an event states a time to come are none of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID

from lineage_core.pages.rows import every, listed
from lineage_core.pages.run_rows import LastOfJob, LastRun
from lineage_core.postgres.connection import Connection

AHEAD = timedelta(days=1)
"""How far the clock of a producer may be ahead of this one. An event of a later time is a mistake, which would stand
first in every list for as long as the store lasts."""


def latest_start() -> datetime:
    """Until when a run may have begun that is among the last ones."""
    return datetime.now(UTC) + AHEAD


def has_later_runs(connection: Connection, moment: datetime) -> bool:
    """Whether an event states that a run began at a moment or after it."""
    found = listed(connection, LastRun, "last_runs", 1, before=None, created_at=None, behind=None)
    return any(one["created_at"] >= moment for one in found.rows)


NO_RUN: LastOfJob = {"run": None, "state": None, "last_at": None}


class _JobWithRun(LastOfJob):
    job: UUID


def last_of_jobs(connection: Connection, jobs: Iterable[UUID]) -> dict[UUID, LastOfJob]:
    """The last run of each of some jobs that has one."""
    found = every(connection, _JobWithRun, "last_runs_of_jobs", jobs=list(jobs))
    return {one["job"]: {"run": one["run"], "state": one["state"], "last_at": one["last_at"]} for one in found}
