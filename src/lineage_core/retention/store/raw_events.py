"""Raw events that policies let go: which they are, what keeps some of them, and their way out of the store and back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any, Self

from psycopg import errors

from lineage_core.declare.database_names import JOBS
from lineage_core.errors import StaleWatermark, StoreUnavailable, TryAgain
from lineage_core.normalize.store.event_choices import prefer_indexes, stranger
from lineage_core.openlineage.instants import LAST, instant, microseconds
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import attempts, keep_brief
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import described_values, every_row, every_value, execute, one_value, value_or_none
from lineage_core.retention.plan import RawEventsPlan
from lineage_core.retention.policies import Cutoff

LOCK_TIMEOUT_MS = 100
ATTEMPTS = 20
"""At a transaction that found something locked. Others wait behind it no longer than the time-out."""

_ARCHIVER = 5411769100238117021
"""The lock of who archives. Each lock of the platform has another number."""

_PATIENCE_MS = 10_000
"""For who archives: a killed one may still be known to the server."""

_BUSY = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure)

ArrivalPlace = tuple[int, int, int]
"""A place in the order of an archive: event time in microseconds, and the two numbers of arrival."""

Deleting = Callable[[Connection, int], None]
"""Is called within each transaction that deletes raw events, with their number."""


def unnoted(_connection: Connection, _rows: int) -> None:
    """For who keeps no report."""


_BEFORE_ALL = -(1 << 63)
_LAST_MONTH = (9999, 12)


@dataclass(frozen=True)
class ChosenEvents:
    """What one part of an archive is to have: `since <= place < until`, of what the cut-offs let go."""

    month: str
    since: ArrivalPlace
    until: ArrivalPlace
    namespaces: tuple[str, ...] = field(repr=False)
    befores: tuple[datetime, ...] = field(repr=False)
    plan: int | None = None
    """Only what this plan has."""

    def parameters(self) -> dict[str, Any]:
        since, since_xid, since_seq = self.since
        until, until_xid, until_seq = self.until
        return {
            "namespaces": list(self.namespaces),
            "befores": list(self.befores),
            "since": since,
            "since_xid": since_xid,
            "since_seq": since_seq,
            "until": until,
            "until_xid": until_xid,
            "until_seq": until_seq,
            "plan": self.plan,
        }


@dataclass(frozen=True)
class StoredEvent:
    """A raw event that is in the store: where, and a digest of all that an archive has of it."""

    arrived_xid: int
    arrival_seq: int
    partition: str
    number_digest: int
    digest: bytes


@dataclass(frozen=True)
class PartitionShare:
    """How many of some raw events are in a partition, and a digest of their numbers. Shares can be added."""

    rows: int = 0
    digest: int = 0

    def __add__(self, other: Self) -> PartitionShare:
        return PartitionShare(self.rows + other.rows, self.digest + other.digest)


@dataclass(frozen=True)
class RestoredEvent:
    """An event out of an archive. `copy`: the how many-eth it is of equal ones; times in microseconds."""

    text: str
    event_time: int
    created_at: int | None
    copy: int


def raw_event_namespaces(connection: Connection) -> list[str]:
    """The namespaces of which there are raw events, as the tables hold them."""
    return every_value(connection, str, "retention/raw_events/namespaces")


@contextmanager
def only_archiver(store: Store) -> Iterator[Connection]:
    """Lets no one else archive raw events of this store. Who was killed is gone as soon as the server notices.

    Raises TryAgain if another is at work.
    """
    with store.session(JOBS, application_name="lineage archives", autocommit=True) as connection:
        connection.execute("SELECT set_config('lock_timeout', %s, false)", [str(_PATIENCE_MS)])
        try:
            connection.execute("SELECT pg_advisory_lock(%s)", [_ARCHIVER])
        except errors.LockNotAvailable as error:
            raise TryAgain(
                "Another application of retention archives raw events now, so nothing was archived or deleted."
                " Run again when it has ended"
            ) from error
        yield connection


def earlier_applications(connection: Connection, as_of: datetime) -> list[datetime]:
    """The times from which the ages of all other applications of retention to this store counted."""
    return every_value(connection, datetime, "retention/raw_events/earlier_applications", {"as_of": as_of})


def planned(connection: Connection, cutoffs: Sequence[Cutoff], as_of: datetime) -> RawEventsPlan:
    """What goes before the cut-offs, exactly; only reads. What lies ahead of the moment stays.

    Raises StaleWatermark.
    """
    _refuse_other_cluster(connection)
    counted = every_row(connection, _counted, "retention/raw_events/planned", _of(cutoffs) | {"as_of": as_of})
    gone = next(((rows, size) for kept_by, rows, size in counted if kept_by is None), (0, 0))
    return RawEventsPlan(*gone, {kept_by: rows for kept_by, rows, _ in counted if kept_by is not None})


def _counted(kept_by: str | None, rows: int, bytes: Decimal | int) -> tuple[str | None, int, int]:
    return kept_by, rows, int(bytes)


def keep_planned(connection: Connection, plan: int, cutoffs: Sequence[Cutoff]) -> None:
    """Keeps which raw events go by a plan, in the caller's transaction."""
    execute(connection, "retention/plans/add_events", _of(cutoffs) | {"plan": plan})


def stayed(connection: Connection, cutoffs: Sequence[Cutoff], plan: int) -> dict[str, int]:
    """How many raw events of a plan are still there, by the reason."""
    found = every_row(connection, _StayingRows, "retention/plans/stayed_events", _of(cutoffs) | {"plan": plan})
    connection.commit()
    return {one.reason: one.rows for one in found}


@dataclass(frozen=True)
class _StayingRows:
    reason: str
    rows: int


def chosen_parts(
    connection: Connection, cutoffs: Sequence[Cutoff], part_bytes: int, plan: int | None = None
) -> list[ChosenEvents]:
    """What goes, in parts of one month and of about so many bytes of text each; of a plan, what that has. Raises
    StaleWatermark."""
    _refuse_other_cluster(connection)
    chosen = _of(cutoffs) | {"part_bytes": part_bytes, "plan": plan}
    begins = every_row(connection, _begin, "retention/raw_events/parts", chosen)
    namespaces = tuple(cutoff.namespace for cutoff in cutoffs)
    befores = tuple(cutoff.before for cutoff in cutoffs)
    return [
        ChosenEvents(month, since, following if behind == month else _end(month), namespaces, befores, plan)
        for (month, since), (behind, following) in pairwise([*begins, ("", (0, 0, 0))])
    ]


def _begin(month: str, happened: int, arrived_xid: int, arrival_seq: int) -> tuple[str, ArrivalPlace]:
    return month, (happened, arrived_xid, arrival_seq)


def _end(month: str) -> ArrivalPlace:
    """The place behind all of a month."""
    if month == "before-1970":
        return 0, _BEFORE_ALL, _BEFORE_ALL
    year, number = map(int, month.split("-"))
    following = (year + number // 12, number % 12 + 1)
    ends = LAST + 1 if following > _LAST_MONTH else microseconds(_first_of(*following))
    return ends, _BEFORE_ALL, _BEFORE_ALL


def _first_of(year: int, month: int) -> datetime:
    return instant(0).replace(year=year, month=month)


def _of(cutoffs: Sequence[Cutoff]) -> dict[str, Any]:
    return {
        "namespaces": [cutoff.namespace for cutoff in cutoffs],
        "befores": [cutoff.before for cutoff in cutoffs],
    }


def chosen_events(connection: Connection, chosen: ChosenEvents) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """The text of each, and what was noted of it when it arrived; times in microseconds."""
    prefer_indexes(connection)
    described = described_values(connection, "retention/raw_events/part", chosen.parameters())
    return ((text, json.loads(columns)) for text, columns in described)


def stored_events(connection: Connection, places: Sequence[ArrivalPlace]) -> list[StoredEvent]:
    """Those of some raw events that are in the store."""
    prefer_indexes(connection)
    bounds = {"first": min(place[0] for place in places), "last": max(place[0] for place in places)}
    return every_row(connection, StoredEvent, "retention/raw_events/stored", _at(places) | bounds)


def shares(stored: Sequence[StoredEvent]) -> dict[str, PartitionShare]:
    """What of them is in each partition."""
    found: defaultdict[str, PartitionShare] = defaultdict(PartitionShare)
    for event in stored:
        found[event.partition] += PartitionShare(1, event.number_digest)
    return dict(found)


def delete_archived(connection: Connection, places: Sequence[ArrivalPlace], deleting: Deleting = unnoted) -> int:
    """Deletes raw events in one transaction, but for those that are protected now. Raises StoreUnavailable if they
    stay locked."""
    for _ in attempts(ATTEMPTS):
        try:
            with connection.transaction():
                keep_brief(connection, LOCK_TIMEOUT_MS)
                gone = one_value(connection, int, "retention/raw_events/delete", _at(places))
                deleting(connection, gone)
                return gone
        except _BUSY:
            continue
    raise StoreUnavailable("Raw events that are archived stay locked. What was deleted is archived; run again")


def drop_partition(connection: Connection, partition: str, share: PartitionShare, deleting: Deleting = unnoted) -> bool:
    """Drops a partition if it has nothing but what the share says; False if it stays, for whatever reason."""
    dropped = {"partition": partition, "rows": share.rows, "digest": share.digest}
    for _ in attempts(ATTEMPTS):
        try:
            with connection.transaction():
                keep_brief(connection, LOCK_TIMEOUT_MS)
                is_dropped = one_value(connection, bool, "retention/raw_events/drop_partition", dropped)
                deleting(connection, share.rows if is_dropped else 0)
                return is_dropped
        except _BUSY:
            continue
    return False


def restore_events(connection: Connection, hold: int, events: Sequence[RestoredEvent]) -> int:
    """Puts events back under a hold, in the caller's transaction; how many were not there."""
    restored = {
        "hold": hold,
        "events": [event.text for event in events],
        "event_times": [instant(event.event_time) for event in events],
        "created_ats": [None if event.created_at is None else instant(event.created_at) for event in events],
        "copies": [event.copy for event in events],
    }
    return one_value(connection, int, "retention/raw_events/restore", restored)


def hold_of_restored(connection: Connection, manifest: str) -> int | None:
    """The hold that keeps the events of an archive, where it was placed before."""
    return value_or_none(connection, int, "retention/hold_of_restored", {"manifest": manifest})


def _at(places: Sequence[ArrivalPlace]) -> dict[str, Any]:
    return {
        "event_times": [place[0] for place in places],
        "arrived_xids": [place[1] for place in places],
        "arrival_seqs": [place[2] for place in places],
    }


def _refuse_other_cluster(connection: Connection) -> None:
    found = stranger(connection)
    if found is not None:
        raise StaleWatermark(
            f"{found}: the database was restored from a dump, and what is normalized is unknown, so nothing is deleted."
            " Run `lineage db rebase`, then `lineage normalize`"
        )
