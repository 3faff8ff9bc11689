"""Which events a run reads: all that have arrived and are not done yet, or those of an interval of event time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Self

from lineage_core import statements
from lineage_core.errors import StaleWatermark
from lineage_core.normalize.slices import START, Position, SliceEvent, SlicePart
from lineage_core.openlineage.events import AHEAD, NOT_AHEAD, Event
from lineage_core.openlineage.instants import FIRST, LAST, instant
from lineage_core.own_lineage.application import OwnJobs
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import each_row, every_value, execute, one_row, one_value, value_or_none

WATERMARK = "normalize"
"""Name of the watermark, and of the lease under which it moves."""
_FETCHED = 2_000
NOTHING_SEEN = "1:1:"
"""The snapshot that has seen no transaction."""


@dataclass(frozen=True)
class EventChoice(ABC):
    """A choice of events, read in order from a place on."""

    after: Position

    @property
    @abstractmethod
    def part_statement(self) -> str:
        """The statement that reads one part, by its name."""

    @property
    @abstractmethod
    def waiting_statement(self) -> str:
        """The statement that lists what waits, by its name."""

    @property
    @abstractmethod
    def position_columns(self) -> tuple[str, str]:
        """What the two numbers of a position are."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]: ...

    @abstractmethod
    def mark_done(self, connection: Connection, until: Position) -> None:
        """Writes that all up to `until` is done, in the transaction of the merge."""

    def behind(self, position: Position) -> Self:
        """The reading of what follows."""
        return replace(self, after=position)

    def waiting(self, connection: Connection) -> Generator[SliceEvent]:
        """The events behind `after`, in order, with their sizes. They are fetched as they are asked for."""
        first, second = self.after
        parameters = {**self.parameters(), "after_first": first, "after_second": second}
        prefer_indexes(connection)
        return each_row(connection, _listed, self.waiting_statement, parameters, at_once=_FETCHED)

    def part_parameters(self, part: SlicePart) -> dict[str, Any]:
        return {
            **self.parameters(),
            "after_first": part.after[0],
            "after_second": part.after[1],
            "until_first": part.until[0],
            "until_second": part.until[1],
        }


def _listed(first: int, second: int, size: int) -> SliceEvent:
    return SliceEvent((first, second), size)


@dataclass(frozen=True)
class EventsByArrival(EventChoice):
    """All that the target snapshot sees and the done one does not."""

    done: str
    target: str
    is_resumed: bool
    """Whether an earlier run aimed at this target: more may have arrived since."""
    consumer: str = WATERMARK
    """The watermark that it moves."""

    part_statement = "normalize/part_by_arrival"
    waiting_statement = "normalize/waiting_by_arrival"
    position_columns = ("arrived_xid", "arrival_seq")

    def parameters(self) -> dict[str, Any]:
        return {"done": self.done, "target": self.target}

    def mark_done(self, connection: Connection, until: Position) -> None:
        xid, seq = until
        execute(connection, "normalize/move_cursor", {"name": self.consumer, "xid": xid, "seq": seq})


@dataclass(frozen=True)
class EventsByTime(EventChoice):
    """Events with `since <= event time < until`, of the job namespaces named, or of all if none is.

    Both ends are in microseconds since 1970.
    """

    since: int
    until: int
    namespaces: tuple[str, ...] = ()

    part_statement = "normalize/part_by_event_time"
    waiting_statement = "normalize/waiting_by_event_time"
    position_columns = ("event_time in microseconds", "arrival_seq")

    def parameters(self) -> dict[str, Any]:
        return {"since": self.since, "until": self.until, "namespaces": list(self.namespaces)}

    def mark_done(self, connection: Connection, until: Position) -> None:
        """There is no watermark of an interval: an event that is in the tables already changes nothing."""


def interval(since: int = FIRST, until: int = LAST + 1, namespaces: tuple[str, ...] = ()) -> EventsByTime:
    """The reading of an interval, from its beginning; without an end that is given, up to the end of all times."""
    _, before_all = START
    return EventsByTime((since, before_all), since, until, namespaces)


def renumber_foreign(connection: Connection, lease: Lease) -> int:
    """Lets events that bear no arrival number of here arrive now, so that `begin` finds them; how many there were.

    Raises StaleWatermark if the whole database comes from another cluster, LeaseLost if another run holds the lease.
    """
    with connection.transaction():
        connection.execute("SELECT guard_event_partitions()")
    with connection.transaction():
        fence(connection, lease)
        _refuse_other_cluster(connection)
        return one_value(connection, int, "normalize/renumber_foreign")


def begin(connection: Connection, lease: Lease, consumer: str = WATERMARK) -> EventsByArrival:
    """The reading of what has arrived: goes on where an earlier run stopped, else aims at what is committed now.

    consumer: whose reading, by the name of its watermark.

    Raises StaleWatermark if the database comes from another cluster, LeaseLost if another run holds the lease.
    """
    with connection.transaction():
        fence(connection, lease)
        _refuse_other_cluster(connection, consumer)
        parameters = {"name": consumer, "nothing": NOTHING_SEEN}
        return replace(one_row(connection, _arrived, "normalize/begin", parameters), consumer=consumer)


def _arrived(done: str, target: str, xid: int | None, seq: int | None, is_resumed: bool) -> EventsByArrival:
    after = START if xid is None or seq is None else (xid, seq)
    return EventsByArrival(after, done, target, is_resumed)


def has_arrived(connection: Connection) -> bool:
    """Whether a run by arrival would find something to do, as far as can be seen without its lease."""
    with connection.transaction():
        prefer_indexes(connection)
        return one_value(connection, bool, "normalize/has_arrived", {"name": WATERMARK})


def only_own(connection: Connection, reading: EventsByArrival, own: OwnJobs, most: int) -> bool:
    """Whether all that waits is of the platform's own jobs, and not more than `most` events."""
    with connection.transaction(), closing(reading.waiting(connection)) as waiting:
        positions = [event.position for event in islice(waiting, most + 1)]
        if len(positions) > most:
            return False
        xids, seqs = [xid for xid, _ in positions], [seq for _, seq in positions]
        parameters = {"xids": xids, "seqs": seqs, "namespace": own.namespace, "dags": list(own.dags)}
        return not one_value(connection, bool, "normalize/others_among", parameters)


def finish(connection: Connection, lease: Lease, reading: EventsByArrival) -> None:
    """Writes that all which the target sees is done. Raises LeaseLost if another run holds the lease."""
    statements.announce("finish")
    with connection.transaction():
        fence(connection, lease)
        execute(connection, "normalize/finish", {"name": reading.consumer, "target": reading.target})


def prefer_indexes(connection: Connection) -> None:
    """Until the transaction ends: what is read is little beside what is stored, which old statistics may not tell."""
    connection.execute("SET LOCAL enable_seqscan = off")


def stranger(connection: Connection, consumer: str = WATERMARK) -> str | None:
    """What shows that the watermark comes from another cluster: its transaction numbers mean nothing here."""
    return value_or_none(connection, str, "normalize/stranger", {"name": consumer})


def _refuse_other_cluster(connection: Connection, consumer: str = WATERMARK) -> None:
    found = stranger(connection, consumer)
    if found is not None:
        raise StaleWatermark(
            f"{found}: the database was restored from a dump, and what is done is unknown."
            " Run `lineage db rebase` to have every event read again; none counts twice"
        )


def waiting_since(connection: Connection) -> datetime | None:
    """When the first of what is not normalized arrived; None if nothing waits."""
    return value_or_none(connection, datetime, "normalize/waiting_since")


class Horizons:
    """Up to which time retention has deleted. It does not move while a run holds the lease."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._last = value_or_none(connection, int, "normalize/last_horizon")

    def expired(self, events: Sequence[tuple[bytes, Event]]) -> set[bytes]:
        """The identities of those that are expired; each comes with its text. The server is asked only for those from
        before the last horizon, and the ledger only for those behind one."""
        old = [(text, event) for text, event in events if self._last is not None and event.time < self._last]
        behind = self._behind(old) if old else set()
        return behind - self._held(behind) if behind else set()

    def _behind(self, events: Sequence[tuple[bytes, Event]]) -> set[bytes]:
        asked = {
            "identities": [event.identity for _, event in events],
            "events": [text.decode() for text, _ in events],
            "event_times": [instant(event.time) for _, event in events],
        }
        return set(every_value(self._connection, bytes, "normalize/behind_horizons", asked, binary=True))

    def _held(self, identities: Iterable[bytes]) -> set[bytes]:
        asked = [verdict + identity for identity in identities for verdict in (AHEAD, NOT_AHEAD)]
        prefer_indexes(self._connection)
        known = every_value(self._connection, bytes, "normalize/held_orders", {"orders": asked}, binary=True)
        return {order[1:] for order in known}


def settled(connection: Connection, events: Sequence[Event]) -> list[Event]:
    """The events, each with the verdict under which the ledger knows it, if it does.

    Only these are looked up: the ledger may have any number that lay ahead.
    """
    known = _known(connection, events)
    return [_judged(event, known) for event in events]


def _judged(event: Event, known: set[bytes]) -> Event:
    identity = event.identity
    if AHEAD + identity in known:
        return event if event.is_ahead else replace(event, is_ahead=True)
    if event.is_ahead and NOT_AHEAD + identity in known:
        return replace(event, is_ahead=False)
    return event


def _known(connection: Connection, events: Sequence[Event]) -> set[bytes]:
    """Those orders of the events, as they are and as they would be under the other verdict, that the ledger has."""
    asked = [AHEAD + event.identity for event in events]
    asked += [NOT_AHEAD + event.identity for event in events if event.is_ahead]
    prefer_indexes(connection)
    return set(every_value(connection, bytes, "normalize/known_orders", {"orders": asked}, binary=True))
