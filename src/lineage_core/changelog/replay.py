"""Replay: records make a state out of another, one after the other; and what a stream must be for that to hold."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.bins import Part
from lineage_core.changelog.layout import Layout
from lineage_core.changelog.operations import Operation, steps_of
from lineage_core.changelog.rows import Rows
from lineage_core.errors import BrokenStream

APPENDED_ONCE = "a key is appended only while it is absent"
RETRACTED_AS_IT_IS = "what is retracted or corrected is live, with the same values"
ONE_KEY = "a -C and its +C have the same key"
UNBROKEN = "offsets have no gap, and each is there once"
GAPLESS = "a slice begins where the one before it ended"
MONOTONIC = "system time never goes back"


class Replays(Layout):
    """States out of states and records."""

    def replay(
        self,
        records: pa.Table,
        state: pa.Table | None = None,
        primary_key: Sequence[str] = (),
    ) -> pa.Table:
        """The state after the records: event time and data columns of each live row, in the order of their first
        append.

        `records` has the operation column, the data columns, and perhaps the other system columns: where it has
        offsets, they have no gap. `state` is the state before, None the empty one. Without a primary key the state is a
        multiset of rows. It is a fold: slices may be replayed together or one by one, cut anywhere but inside a pair.

        Raises BrokenStream, which names the record and the rule, if the records do not follow from the state.
        """
        refuse_gaps(self.offsets_of(records))
        return self.replay_some(records, state, primary_key)

    def replay_some(self, records: pa.Table, state: pa.Table | None, primary_key: Sequence[str]) -> pa.Table:
        """As `replay`, of all records of some keys: between their offsets are those of other keys."""
        rows = Rows(state, records, primary_key, self)
        live = changed_rows(rows, self.operations_of(records), self.offsets_of(records), primary_key)
        return rows.table.take(pa.array(live, pa.int64()))

    def validate(
        self,
        records: pa.Table,
        state: pa.Table | None = None,
        primary_key: Sequence[str] = (),
        expected_offset: int | None = None,
    ) -> None:
        """Raises BrokenStream, which names the record and the rule, unless a slice is one that may follow the state.

        It must have all system columns in their types (WrongUsage otherwise), offsets without a gap from
        `expected_offset` on, a system time that never goes back, and records that `replay` takes.
        """
        checked = self.slice_of(records)
        first = self.first_offset(checked)
        if expected_offset is not None and checked.num_rows and first != expected_offset:
            raise BrokenStream(GAPLESS, first, f"offset {expected_offset} is expected")
        self._refuse_time_that_goes_back(checked)
        self.replay(checked, state, primary_key)

    def has_same_rows(self, state: pa.Table, other: pa.Table) -> bool:
        """Whether two states have the same rows, each as often, in whatever order."""
        rows = Rows(state, other, (), self)
        return Counter(rows.whole[: state.num_rows]) == Counter(rows.whole[state.num_rows :])

    def _refuse_time_that_goes_back(self, records: pa.Table) -> None:
        times = pa.concat_arrays(records.column(self.vocabulary.system_time).chunks) if records.num_rows else []
        if len(times) > 1:
            wrong = pc.index(pc.less(times[1:], times[:-1]), True).as_py()
            if wrong >= 0:
                raise BrokenStream(MONOTONIC, self.first_offset(records) + wrong + 1, "it is before that of the last")


def refuse_gaps(offsets: Sequence[int]) -> None:
    """Raises BrokenStream at the first offset that is not behind the one before it."""
    for before, offset in pairwise(offsets):
        if offset != before + 1:
            raise BrokenStream(UNBROKEN, offset, f"offset {before + 1} is expected")


def changed_rows(
    rows: Rows, operations: Sequence[Operation], offsets: Sequence[int], primary_key: Sequence[str]
) -> list[int]:
    """Which rows live after the records. Raises BrokenStream if a record does not follow from those before it."""
    live = _LiveRows(rows, primary_key)
    for old, new, offset in steps_of(operations, rows.of_batch, offsets):
        if old is None and new is not None:
            live.append(new, offset)
        elif old is not None and new is None:
            live.retract(old, offset)
        elif old is not None and new is not None:
            live.correct(old, new, offset)
    return list(live.rows())


class _LiveRows:
    """The rows of a state, by key. Without a primary key the key is the whole row, and may be there several times."""

    def __init__(self, rows: Rows, primary_key: Sequence[str]) -> None:
        self._rows = rows
        self._primary_key = primary_key
        self._by_key: dict[int, list[int]] = {}
        self._places: dict[int, int] = {}
        self._next_place = 0
        for row in rows.of_state:
            self._add(row)

    def append(self, row: int, offset: int) -> None:
        key = self._rows.keys[row]
        if self._primary_key and key in self._by_key:
            shown = self._rows.described(row, self._primary_key)
            raise BrokenStream(APPENDED_ONCE, offset, f"there is a row with {shown} already")
        self._add(row)

    def retract(self, row: int, offset: int) -> int:
        """The place that becomes free."""
        key = self._rows.keys[row]
        found = self._by_key.get(key)
        if not found:
            shown = self._rows.described(row, self._primary_key)
            raise BrokenStream(RETRACTED_AS_IT_IS, offset, f"there is no row with {shown}")
        if self._rows.whole[found[0]] != self._rows.whole[row]:
            shown, there = self._rows.described(row, ()), self._rows.described(found[0], ())
            raise BrokenStream(RETRACTED_AS_IT_IS, offset, f"it says {shown}; live is {there}")
        place = self._places.pop(found.pop(0))
        if not found:
            del self._by_key[key]
        return place

    def correct(self, old: int, new: int, offset: int) -> None:
        if self._primary_key and self._rows.keys[old] != self._rows.keys[new]:
            shown, there = (self._rows.described(row, self._primary_key) for row in (new, old))
            raise BrokenStream(ONE_KEY, offset + 1, f"{shown} corrects {there}: retract the one, and append the other")
        self._add(new, self.retract(old, offset))

    def rows(self) -> Iterable[int]:
        """In the order of their places: a corrected row has that of the one before it."""
        return sorted(self._places, key=lambda row: self._places[row])

    def _add(self, row: int, place: int | None = None) -> None:
        self._by_key.setdefault(self._rows.keys[row], []).append(row)
        self._places[row] = self._next_place if place is None else place
        self._next_place += place is None


def offset_at(moment: datetime, parts: Sequence[Part], system_times: Callable[[Part], pa.ChunkedArray]) -> int:
    """The offset of the first record whose system time is `moment` or later; behind the last record if none is.

    system_times: those of a part, in milliseconds. A system time never goes back, so only some parts are looked at.
    """
    place = bisect_left(parts, moment, key=lambda part: system_times(part)[-1].as_py())
    if place == len(parts):
        return parts[-1].end_offset + 1 if parts else 0
    earlier = pc.sum(pc.less(system_times(parts[place]), pa.scalar(moment, pa.timestamp("us", tz="UTC")))).as_py()
    return parts[place].start_offset + int(earlier or 0)


def records_between(records: pa.Table, start: int, begin: int, end: int) -> pa.Table:
    """Those from the offset `begin` on and before `end`, of records of which the first has the offset `start`."""
    first = max(begin - start, 0)
    return records.slice(first, max(end - start - first, 0))
