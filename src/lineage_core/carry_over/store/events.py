"""Raw events, from the earlier store into the new one: as they came, in the order in which they came.

The new store keeps, in the transaction that copies events, up to which one they were copied. What that order misses,
such as an event whose transaction committed late, is found by comparing what both hold of each month.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from psycopg import sql

from lineage_core.openlineage.json_limits import LONGEST_DOCUMENT
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_row, execute, one_value, row_or_none

AT_ONCE = 5_000
"""Events that one transaction copies."""

ALL, CERTAIN = "all", "certain"
"""Which events are copied: all of them, or those that no horizon of retention can make expired."""

CopyProgress = Callable[[int], None]
"""Called with the number of events that have been copied so far."""


@dataclass(frozen=True)
class _Position:
    arrived_xid: int
    arrival_seq: int


@dataclass(frozen=True)
class _Month:
    month: str
    number: int
    digest: str


@dataclass(frozen=True)
class _Copies:
    digest: int
    number: int


@dataclass(frozen=True)
class _UnfitDocument:
    document: str
    reason: str


_BEGINNING = _Position(-(2**63), -(2**63))


def copy_events(earlier: Store, new: Store, events: str, progress: CopyProgress) -> int:
    """Copies what has not been copied yet of these events, a transaction for each few thousand; how many."""
    copied = 0
    with earlier.connect() as reading, new.connect(autocommit=True) as writing:
        position = row_or_none(writing, _Position, "carry_over/position", {"events": events}) or _BEGINNING
        while True:
            behind = {"number": AT_ONCE, **vars(position)}
            last = row_or_none(reading, _Position, "carry_over/next_position", behind)
            if last is None:
                return copied
            with writing.transaction():
                copied += _copied(reading, writing, _between(events, position, last))
                execute(writing, "carry_over/move", {"events": events, **vars(last)})
            reading.commit()
            position = last
            progress(copied)


def copy_missing(earlier: Store, new: Store) -> int:
    """Copies what the new store lacks, found by what both say of each month; how many events."""
    copied = 0
    with earlier.connect() as reading, new.connect(autocommit=True) as writing:
        for month in _differing_months(reading, writing):
            have, wanted = _copies(writing, month), _copies(reading, month)
            missing = {digest: have.get(digest, 0) for digest, number in wanted.items() if have.get(digest, 0) < number}
            if missing:
                copied += _copied(reading, writing, _missing(month, missing))
    return copied


def quarantine_unfit(earlier: Store, new: Store) -> int:
    """Puts the events that the new store may not hold into its quarantine; how many are too long for that, too."""
    limits = {"longest": sql.Literal(LONGEST_DOCUMENT)}
    with earlier.connect() as reading, new.connect() as writing:
        for unfit in every_row(reading, _UnfitDocument, composed("carry_over/unfit_events", fits=_fits(), **limits)):
            execute(writing, "carry_over/quarantine_unfit", vars(unfit))
        return one_value(reading, int, composed("carry_over/too_long_events", **limits))


def _differing_months(reading: Connection, writing: Connection) -> list[str]:
    """Those of which the new store has not the same events. Whoever writes there already may have added some."""
    statement = composed("carry_over/sums_of_months", fits=_fits())
    known = set(every_row(writing, _Month, statement))
    return [month.month for month in every_row(reading, _Month, statement) if month not in known]


def _copies(connection: Connection, month: str) -> dict[int, int]:
    statement = composed("carry_over/events_of_month", fits=_fits())
    return {one.digest: one.number for one in every_row(connection, _Copies, statement, {"month": month})}


def _between(events: str, after: _Position, last: _Position) -> sql.Composed:
    return composed(
        "carry_over/copy_events",
        after_xid=sql.Literal(after.arrived_xid),
        after_seq=sql.Literal(after.arrival_seq),
        last_xid=sql.Literal(last.arrived_xid),
        last_seq=sql.Literal(last.arrival_seq),
        fits=_fits(),
        chosen=composed(f"carry_over/chosen/{events}"),
    )


def _missing(month: str, have: dict[int, int]) -> sql.Composed:
    return composed(
        "carry_over/copy_missing",
        month=sql.Literal(month),
        digests=sql.Literal(list(have)),
        numbers=sql.Literal(list(have.values())),
        fits=_fits(),
    )


def _fits() -> sql.Composed:
    return composed("carry_over/fits", longest=sql.Literal(LONGEST_DOCUMENT))


def _copied(reading: Connection, writing: Connection, statement: sql.Composed) -> int:
    with reading.cursor() as out, writing.cursor() as into:
        with out.copy(statement) as source, into.copy(composed("carry_over/take_events")) as target:
            for piece in source:
                target.write(piece)
        return into.rowcount
