"""Retention: a plan of what goes, and its application beside live normalization.

What goes is decided once, by the plan: its moment, its cut-offs and its keys. Whoever carries it out may delete less,
as holds and protections are those of then, and never more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.event_archive import refuse_unfit
from lineage_core.retention.plan import RetentionPlan
from lineage_core.retention.policies import Cutoff, cutoffs, emptying_cutoffs
from lineage_core.retention.store import plans, purge, raw_events
from lineage_core.retention.store.plans import KeptPlan
from lineage_core.retention.store.policies import policies_in_force
from lineage_core.retention.store.reports import ReportWriter
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import HERE, TaskRunner

AT_ONCE = 30.0
"""Seconds for which normalization is kept out at a time. A run waits for up to two minutes before it fails."""


@dataclass(frozen=True)
class RetentionOutcome:
    """Rows that have gone, for each table, and what was planned to go and stayed, by the reason."""

    as_of: datetime
    deleted: Mapping[str, int]
    stayed: Mapping[str, int]
    manifests: tuple[str, ...]
    """Of the archives that have the raw events, relative to the URL."""
    seconds: float


def plan(
    store: Store, as_of: datetime | None = None, emptied: str | None = None, *, is_kept: bool = True
) -> RetentionPlan:
    """What goes at that time, exactly; now, by the server's clock, if no time is given. Keeps no other out.

    emptied: a pattern of the namespaces that are emptied; without it the policies in force decide what goes. is_kept:
    whether the store keeps what goes, so that the plan can be carried out. Otherwise nothing changes. Raises WrongUsage
    for a time ahead of the server's clock.
    """
    with store.session("lineage_jobs", application_name="lineage retention") as connection:
        purge.prepare(connection)
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        since = plans.moment(connection, as_of)
        raw = _raw_cutoffs(connection, since, emptied)
        others = purge.cutoffs(connection, since, emptied)
        found = purge.find(connection, since, others)
        planned = RetentionPlan(
            since,
            found.tables,
            found.bytes,
            found.protected,
            raw_events.planned(connection, raw, since),
            found.unwritten,
            emptied,
        )
        if is_kept:
            planned = plans.keep(connection, planned, [*others, *raw])
            connection.commit()
        else:
            connection.rollback()
        return planned


def apply(
    store: Store,
    planned: RetentionPlan,
    *,
    archive: str | None = None,
    runner: TaskRunner = HERE,
    at_once: float = AT_ONCE,
    progress: Callable[[int], object] = lambda _rows: None,
) -> RetentionOutcome:
    """Deletes what was planned, but for what must stay by now. The same plan again deletes what a kill has left.

    archive: the URL below which raw events are archived before they go; without it they stay. runner: who does the
    tasks of the archive. progress: called with how many rows have gone. Raises NeedsOperator if the plan is not one of
    this store, LeaseTaken while a normalization is at work.
    """
    started = time.monotonic()
    if archive is not None:
        refuse_unfit(archive)
    with store.session("lineage_jobs", application_name="lineage retention") as connection:
        purge.prepare(connection)
        decided = plans.kept(connection, planned)
        report = ReportWriter(connection, planned, archive, progress)
        manifests: tuple[str, ...] = ()
        if archive is not None:
            raw = decided.of_raw_events()
            done = archive_expired(
                store, archive, raw, decided.as_of, runner, plan=decided.number, deleting=report.raw_events
            )
            manifests = done.manifests
            report.add_stayed(raw_events.stayed(connection, raw, decided.number))
        while _delete(store, connection, decided, report, at_once):
            pass
    return RetentionOutcome(decided.as_of, report.deleted, report.stayed, manifests, time.monotonic() - started)


def _raw_cutoffs(connection: Connection, as_of: datetime, emptied: str | None) -> list[Cutoff]:
    namespaces = raw_events.raw_event_namespaces(connection)
    if emptied is not None:
        return emptying_cutoffs(emptied, namespaces, as_of, [PolicyKind.RAW_EVENTS])
    return cutoffs(policies_in_force(connection), namespaces, PolicyKind.RAW_EVENTS, as_of)


def _delete(store: Store, connection: Connection, decided: KeptPlan, report: ReportWriter, at_once: float) -> bool:
    """Looks for what is still to go, and deletes for a while; False if nothing is left.

    Ends sooner if somebody places a legal hold: what is under it is known by the next look only.
    """
    with held_lease(store, WATERMARK) as lease:
        if not purge.find(connection, decided.as_of, decided.of_tables(), decided.number).tables:
            report.end(purge.stayed(connection))
            return False
        purge.advance_horizons(connection)
        connection.commit()
        _delete_found(connection, lease, report, time.monotonic() + at_once)
        return True


def _delete_found(connection: Connection, lease: Lease, report: ReportWriter, until: float) -> None:
    """Chunk after chunk, until all that was found is gone, a hold was placed, or it is time to let others in."""
    for gone in purge.chunks(connection, lease, report.add):
        if gone is None or time.monotonic() >= until:
            return
