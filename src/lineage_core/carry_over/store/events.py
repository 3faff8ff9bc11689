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

ALL, CERTAIN, NEEDED, PASSED = "all", "certain", "needed", "passed"
"""Which events are copied: all of them, those that no horizon of retention can make expired, those that it has
not made so in a store of this release, or those that the earlier store has normalized."""

CopyProgress = Callable[[int, int], object]
"""Called with the number of events that are through, and of those that were to be."""


@dataclass(frozen=True)
class _Position:
    arrived_xid: int
    arrival_seq: int


@dataclass(frozen=True)
class _Step:
    """Some events behind a position: how many, and the last of them."""

    number: int
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


def copy_events(reading: Connection, new: Store, events: str, progress: CopyProgress, among: str = ALL) -> int:
    """Copies what has not been copied yet of these events, a transaction for each few thousand; how many.

    reading: of the earlier store, in a snapshot or with a transaction for each statement. among: only these of them.
    """
    copied = 0
    with new.connect(autocommit=True) as writing:
        position = _position(writing)
        behind = one_value(reading, int, "carry_over/events_behind", vars(position))
        through = 0
        while step := row_or_none(reading, _Step, "carry_over/next_events", {"number": AT_ONCE, **vars(position)}):
            last = _Position(step.arrived_xid, step.arrival_seq)
            with writing.transaction():
                copied += _copied(reading, writing, _between(events, among, position, last))
                execute(writing, "carry_over/move", {"events": events, **vars(last)})
            position = last
            through += step.number
            progress(through, max(through, behind))
            if step.number < AT_ONCE:  # what arrives meanwhile is for the next time, or this one might never end
                break
    return copied


def copy_missing(reading: Connection, new: Store, among: str = ALL) -> int:
    """Copies what the new store lacks of what was to be copied, found by what both say of each month; how many."""
    copied = 0
    with new.connect(autocommit=True) as writing:
        wanted = _fits(among, _position(writing))
        for month in _differing_months(reading, writing, wanted):
            have, there = _copies(writing, month, _fits()), _copies(reading, month, wanted)
            missing = {digest: have.get(digest, 0) for digest, number in there.items() if have.get(digest, 0) < number}
            if missing:
                copied += _copied(reading, writing, _missing(month, missing, wanted))
    return copied


def passed() -> sql.Composed:
    """The condition of those that a store has normalized."""
    return composed("carry_over/chosen/passed")


def waiting(reading: Connection) -> int:
    """How many raw events of the other store are none of those."""
    return one_value(reading, int, composed("carry_over/rebuild/waiting", passed=passed()))


def quarantine_unfit(earlier: Store, new: Store) -> int:
    """Puts the events that the new store may not hold into its quarantine; how many are too long for that, too."""
    limits = {"longest": sql.Literal(LONGEST_DOCUMENT)}
    with earlier.connect() as reading, new.connect() as writing:
        for unfit in every_row(reading, _UnfitDocument, composed("carry_over/unfit_events", fits=_fits(), **limits)):
            execute(writing, "carry_over/quarantine_unfit", vars(unfit))
        return one_value(reading, int, composed("carry_over/too_long_events", **limits))


def _position(writing: Connection) -> _Position:
    """Up to which event they were copied. What is behind it is for the next time."""
    return row_or_none(writing, _Position, "carry_over/position") or _BEGINNING


def _differing_months(reading: Connection, writing: Connection, wanted: sql.Composed) -> list[str]:
    """Those of which the new store has not the same events. Whoever writes there already may have added some."""
    known = set(every_row(writing, _Month, composed("carry_over/sums_of_months", fits=_fits())))
    there = every_row(reading, _Month, composed("carry_over/sums_of_months", fits=wanted))
    return [month.month for month in there if month not in known]


def _copies(connection: Connection, month: str, fits: sql.Composed) -> dict[int, int]:
    statement = composed("carry_over/events_of_month", fits=fits)
    return {one.digest: one.number for one in every_row(connection, _Copies, statement, {"month": month})}


def _between(events: str, among: str, after: _Position, last: _Position) -> sql.Composed:
    return composed(
        "carry_over/copy_events",
        after_xid=sql.Literal(after.arrived_xid),
        after_seq=sql.Literal(after.arrival_seq),
        last_xid=sql.Literal(last.arrived_xid),
        last_seq=sql.Literal(last.arrival_seq),
        fits=_fits(among),
        chosen=composed(f"carry_over/chosen/{events}"),
    )


def _missing(month: str, have: dict[int, int], wanted: sql.Composed) -> sql.Composed:
    return composed(
        "carry_over/copy_missing",
        month=sql.Literal(month),
        digests=sql.Literal(list(have)),
        numbers=sql.Literal(list(have.values())),
        fits=wanted,
    )


def _fits(among: str = ALL, until: _Position | None = None) -> sql.Composed:
    conditions = [composed(f"carry_over/chosen/{among}")]
    if until is not None:
        xid, seq = sql.Literal(until.arrived_xid), sql.Literal(until.arrival_seq)
        conditions.append(composed("carry_over/chosen/until", xid=xid, seq=seq))
    chosen = sql.SQL(" AND ").join(conditions)
    return composed("carry_over/fits", longest=sql.Literal(LONGEST_DOCUMENT), chosen=chosen)


def _copied(reading: Connection, writing: Connection, statement: sql.Composed) -> int:
    with reading.cursor() as out, writing.cursor() as into:
        with out.copy(statement) as source, into.copy(composed("carry_over/take_events")) as target:
            for piece in source:
                target.write(piece)
        return into.rowcount
