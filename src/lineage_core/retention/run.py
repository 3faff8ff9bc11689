"""Retention: a plan of what goes, and its application beside live normalization."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from lineage_core.errors import NeedsOperator
from lineage_core.model.tables.retention_policies import PolicyKind
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.retention.archiving import RunTasks, archive_expired, in_turn
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff, cutoffs
from lineage_core.retention.store import purge, raw_events
from lineage_core.retention.store.policies import policies_in_force
from lineage_core.retention.store.reports import ReportWriter

AT_ONCE = 30.0
"""Seconds for which normalization is kept out at a time. A run waits for up to two minutes before it fails."""

RAW = "lineage_events"


@dataclass(frozen=True)
class Applied:
    """Rows that have gone, for each table."""

    as_of: datetime
    deleted: Mapping[str, int]
    manifests: tuple[str, ...]
    """Of the archives that have the raw events, relative to the URL."""
    seconds: float


def plan(dsn: str, as_of: datetime) -> RetentionPlan:
    """What goes at that time, exactly, by the policies in force. Changes nothing, and keeps nobody out."""
    with explained("lineage_jobs"), connect(dsn, application_name="lineage retention") as connection:
        purge.prepare(connection)
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found = _found(connection, as_of)
        connection.rollback()
        return found


def apply(
    dsn: str,
    planned: RetentionPlan,
    *,
    archive: str | None = None,
    run_tasks: RunTasks = in_turn,
    at_once: float = AT_ONCE,
) -> Applied:
    """Deletes what was planned. What a kill leaves, the next application deletes.

    archive: the URL below which raw events are archived before they go; without it they stay. run_tasks: who does the
    tasks of the archive. Raises NeedsOperator if other rows would go now than were planned, LeaseTaken while a
    normalization is at work.
    """
    started = time.monotonic()
    with explained("lineage_jobs"), connect(dsn, application_name="lineage retention") as connection:
        purge.prepare(connection)
        report = ReportWriter(connection, planned)
        _begin(dsn, connection, planned, report, has_archive=archive is not None)
        deleted, manifests = _archived(dsn, connection, planned.as_of, archive, run_tasks)
        while (gone := _deleted(dsn, connection, planned.as_of, at_once)) is not None:
            deleted += gone
            report.keep(deleted)
        report.end(deleted)
    return Applied(planned.as_of, dict(sorted((+deleted).items())), manifests, time.monotonic() - started)


def _found(connection: Connection, as_of: datetime) -> RetentionPlan:
    raw = raw_events.planned(connection, _raw_cutoffs(connection, as_of))
    return purge.find(connection, as_of).with_rows(RAW, raw.rows, raw.bytes, raw.protected)


def _raw_cutoffs(connection: Connection, as_of: datetime) -> list[Cutoff]:
    namespaces = raw_events.raw_event_namespaces(connection, as_of)
    return cutoffs(policies_in_force(connection), namespaces, PolicyKind.RAW_EVENTS, as_of)


def _begin(
    dsn: str, connection: Connection, planned: RetentionPlan, report: ReportWriter, *, has_archive: bool
) -> None:
    """Compares the plan with what would go now, while no run changes that."""
    with held_lease(dsn, WATERMARK):
        if has_archive:
            _refuse_others(planned, _found(connection, planned.as_of))
        else:
            _refuse_others(planned.without(RAW), purge.find(connection, planned.as_of))
        report.begin()
        connection.commit()


def _archived(
    dsn: str, connection: Connection, as_of: datetime, archive: str | None, run_tasks: RunTasks
) -> tuple[Counter[str], tuple[str, ...]]:
    if archive is None:
        return Counter(), ()
    chosen = _raw_cutoffs(connection, as_of)
    connection.commit()
    done = archive_expired(dsn, archive, chosen, as_of, run_tasks)
    return Counter({RAW: done.deleted}), done.manifests


def _deleted(dsn: str, connection: Connection, as_of: datetime, at_once: float) -> Counter[str] | None:
    """Deletes for a while what there is now; None if nothing is left."""
    with held_lease(dsn, WATERMARK) as lease:
        if not purge.find(connection, as_of).tables:
            connection.commit()
            return None
        purge.advance_horizons(connection)
        connection.commit()
        return _delete(connection, lease, until=time.monotonic() + at_once)


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
