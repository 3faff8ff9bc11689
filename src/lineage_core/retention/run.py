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
from lineage_core.retention.event_archive import refuse_unfit
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff, cutoffs, emptying_cutoffs
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


def plan(dsn: str, as_of: datetime, emptied: str | None = None) -> RetentionPlan:
    """What goes at that time, exactly. Changes nothing, and keeps nobody out.

    emptied: a pattern of the namespaces that are emptied; without it the policies in force decide what goes.
    """
    with explained("lineage_jobs"), connect(dsn, application_name="lineage retention") as connection:
        purge.prepare(connection)
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found = _found(connection, as_of, emptied)
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
    if archive is not None:
        refuse_unfit(archive)
    with explained("lineage_jobs"), connect(dsn, application_name="lineage retention") as connection:
        purge.prepare(connection)
        report = ReportWriter(connection, planned)
        manifests: tuple[str, ...] = ()
        if archive is None:
            deleted = _begin(dsn, connection, planned, report, at_once)
        else:
            deleted, manifests = _archived(dsn, connection, planned, report, archive, run_tasks)
        report.keep(deleted)
        while (gone := _deleted(dsn, connection, planned, at_once)) is not None:
            deleted += gone
            report.keep(deleted)
        report.end(deleted)
    return Applied(planned.as_of, dict(sorted((+deleted).items())), manifests, time.monotonic() - started)


def _found(connection: Connection, as_of: datetime, emptied: str | None) -> RetentionPlan:
    raw = raw_events.planned(connection, _raw_cutoffs(connection, as_of, emptied))
    return purge.find(connection, as_of, emptied).with_rows(RAW, raw.rows, raw.bytes, raw.protected)


def _raw_cutoffs(connection: Connection, as_of: datetime, emptied: str | None) -> list[Cutoff]:
    namespaces = raw_events.raw_event_namespaces(connection, as_of)
    if emptied is not None:
        return emptying_cutoffs(emptied, namespaces, as_of, [PolicyKind.RAW_EVENTS])
    return cutoffs(policies_in_force(connection), namespaces, PolicyKind.RAW_EVENTS, as_of)


def _archived(
    dsn: str, connection: Connection, planned: RetentionPlan, report: ReportWriter, archive: str, run_tasks: RunTasks
) -> tuple[Counter[str], tuple[str, ...]]:
    """Compares the plan with what would go now, and archives raw events, which then go."""
    with held_lease(dsn, WATERMARK):
        _refuse_others(planned, _found(connection, planned.as_of, planned.emptied))
        chosen = _raw_cutoffs(connection, planned.as_of, planned.emptied)
        report.begin()
        connection.commit()
    done = archive_expired(dsn, archive, chosen, planned.as_of, run_tasks)
    return Counter({RAW: done.deleted}), done.manifests


def _begin(
    dsn: str, connection: Connection, planned: RetentionPlan, report: ReportWriter, at_once: float
) -> Counter[str]:
    """Compares the plan with what would go now, but for raw events, and deletes the first of it."""
    with held_lease(dsn, WATERMARK) as lease:
        _refuse_others(planned.without(RAW), purge.find(connection, planned.as_of, planned.emptied))
        report.begin()
        return _delete(connection, lease, at_once)


def _deleted(dsn: str, connection: Connection, planned: RetentionPlan, at_once: float) -> Counter[str] | None:
    """Deletes for a while what there is now; None if nothing is left."""
    with held_lease(dsn, WATERMARK) as lease:
        if not purge.find(connection, planned.as_of, planned.emptied).tables:
            connection.commit()
            return None
        return _delete(connection, lease, at_once)


def _delete(connection: Connection, lease: Lease, at_once: float) -> Counter[str]:
    """What was found, chunk after chunk, until all is gone or it is time to let others in."""
    purge.advance_horizons(connection)
    connection.commit()
    until = time.monotonic() + at_once
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
