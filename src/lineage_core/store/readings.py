"""Which events a run reads: all that have arrived and are not done yet, or those of an interval of event time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from psycopg.rows import TupleRow

from lineage_core.errors import StaleWatermark
from lineage_core.plans.slices import START, Listed, Part, Position
from lineage_core.render import handwritten
from lineage_core.store.connection import Connection
from lineage_core.store.leases import Lease, fence

WATERMARK = "normalize"
_FETCHED = 2_000
_NOTHING_SEEN = "1:1:"
"""The snapshot that has seen no transaction."""


@dataclass(frozen=True)
class Reading(ABC):
    """A choice of events, read in order from a place on."""

    after: Position

    @property
    @abstractmethod
    def part_statement(self) -> str:
        """The statement that reads one part, as a path below `sql/`."""

    @property
    @abstractmethod
    def waiting_statement(self) -> str:
        """The statement that lists what waits, as a path below `sql/`."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]: ...

    @abstractmethod
    def move_on(self, connection: Connection, until: Position) -> Reading:
        """Writes that all up to `until` is done, in the transaction of the merge; the reading of what follows."""

    def waiting(self, connection: Connection) -> Generator[Listed]:
        """The events behind `after`, in order, with their sizes. They are fetched as they are asked for."""
        first, second = self.after
        said = {**self.parameters(), "after_first": first, "after_second": second}
        with connection.cursor(name="waiting") as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(handwritten.script(self.waiting_statement), said)
            for one, two, size in cursor:
                yield Listed((one, two), size)

    def part_parameters(self, part: Part) -> dict[str, Any]:
        return {
            **self.parameters(),
            "after_first": part.after[0],
            "after_second": part.after[1],
            "until_first": part.until[0],
            "until_second": part.until[1],
        }


@dataclass(frozen=True)
class Arrived(Reading):
    """All that the target snapshot sees and the done one does not."""

    done: str
    target: str

    part_statement = "normalize/part_by_arrival.sql"
    waiting_statement = "normalize/waiting_by_arrival.sql"

    def parameters(self) -> dict[str, Any]:
        return {"done": self.done, "target": self.target}

    def move_on(self, connection: Connection, until: Position) -> Arrived:
        connection.execute(
            "UPDATE watermarks SET cursor_xid = %s, cursor_seq = %s, updated_at = now() WHERE name = %s",
            [*until, WATERMARK],
        )
        return replace(self, after=until)


@dataclass(frozen=True)
class Interval(Reading):
    """Events with `since <= event time < until`, of the job namespaces named, or of all if none is.

    It keeps no watermark: an event that is in the tables already changes nothing.
    """

    since: datetime
    until: datetime
    namespaces: tuple[str, ...] = ()

    part_statement = "normalize/part_by_event_time.sql"
    waiting_statement = "normalize/waiting_by_event_time.sql"

    def parameters(self) -> dict[str, Any]:
        return {"from": self.since, "to": self.until, "namespaces": list(self.namespaces)}

    def move_on(self, connection: Connection, until: Position) -> Interval:
        return replace(self, after=until)


def interval(since: datetime, until: datetime, namespaces: tuple[str, ...] = ()) -> Interval:
    """The reading of an interval, from its beginning."""
    before = (since - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) - 1
    return Interval((before, 0), since, until, namespaces)


def begin(connection: Connection, lease: Lease) -> Arrived:
    """The reading of what has arrived: goes on where an earlier run stopped, else aims at what is committed now.

    Raises StaleWatermark if the watermark was made in another cluster, LeaseLost if another run holds the lease.
    """
    with connection.transaction():
        fence(connection, lease)
        _refuse_other_cluster(connection)
        said = {"name": WATERMARK, "nothing": _NOTHING_SEEN}
        done, target, xid, seq = _only(connection.execute(handwritten.script("normalize/begin.sql"), said).fetchone())
    return Arrived(START if xid is None else (xid, seq), done, target)


def finish(connection: Connection, lease: Lease, reading: Arrived) -> None:
    """Writes that all which the target sees is done. Raises LeaseLost if another run holds the lease."""
    with connection.transaction():
        fence(connection, lease)
        connection.execute(
            "UPDATE watermarks SET done = %s::pg_snapshot, target = NULL, cursor_xid = NULL, cursor_seq = NULL,"
            " updated_at = now() WHERE name = %s",
            [reading.target, WATERMARK],
        )


def _refuse_other_cluster(connection: Connection) -> None:
    row = connection.execute(
        "SELECT system_identifier FROM watermarks WHERE name = %s AND system_identifier <> "
        "(SELECT system_identifier FROM pg_control_system())",
        [WATERMARK],
    ).fetchone()
    if row:
        raise StaleWatermark(
            f"The watermark {WATERMARK!r} was made in another cluster (system identifier {row[0]}), so its transaction"
            " ids mean nothing here. Delete it from `watermarks` to have every event read again; none counts twice"
        )


def _only(row: TupleRow | None) -> TupleRow:
    assert row is not None  # noqa: S101 - the statement returns one row
    return row
