"""Retention: a plan of what goes, and its application beside live normalization."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from lineage_core.errors import NeedsOperator
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.store import purge
from lineage_core.retention.store.reports import ReportWriter

AT_ONCE = 30.0
"""Seconds for which normalization is kept out at a time. A run waits for up to two minutes before it fails."""


@dataclass(frozen=True)
class Applied:
    """Rows that have gone, for each table."""

    as_of: datetime
    deleted: Mapping[str, int]
    seconds: float


def plan(dsn: str, as_of: datetime) -> RetentionPlan:
    """What goes at that time, exactly, by the policies in force. Changes nothing, and keeps nobody out."""
    with explained("lineage_jobs"), connect(dsn, application_name="lineage retention") as connection:
        purge.prepare(connection)
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found = purge.find(connection, as_of)
        connection.rollback()
        return found


def apply(dsn: str, planned: RetentionPlan, *, at_once: float = AT_ONCE) -> Applied:
    """Deletes what was planned. What a kill leaves, the next application deletes.

    Raises NeedsOperator if other rows would go now than were planned, LeaseTaken while a run is at work.
    """
    started = time.monotonic()
    with explained("lineage_jobs"), connect(dsn, application_name="lineage retention") as connection:
        purge.prepare(connection)
        report = ReportWriter(connection, planned)
        deleted: Counter[str] = Counter()
        is_begun = False
        while True:
            with held_lease(dsn, WATERMARK) as lease:
                found = purge.find(connection, planned.as_of)
                if not is_begun:
                    _refuse_others(planned, found)
                    purge.advance_horizons(connection)
                    report.begin()
                    is_begun = True
                connection.commit()
                if not found.tables:
                    break
                deleted += _delete(connection, lease, until=time.monotonic() + at_once)
            report.keep(deleted)
        report.end(deleted)
    return Applied(planned.as_of, dict(sorted((+deleted).items())), time.monotonic() - started)


def _delete(connection: Connection, lease: Lease, until: float) -> Counter[str]:
    """Chunk after chunk, until all is gone or it is time to let others in."""
    gone: Counter[str] = Counter()
    for chunk in purge.chunks(connection, lease):
        gone += chunk
        if time.monotonic() >= until:
            break
    return gone


def _refuse_others(planned: RetentionPlan, found: RetentionPlan) -> None:
    moved = planned.moved_on(found)
    if moved:
        tables = ", ".join(f"{table} {before:,} planned and {now:,} now" for table, (before, now) in moved.items())
        raise NeedsOperator(f"The database has moved on since it was planned: {tables}. Plan again, and look at it")
