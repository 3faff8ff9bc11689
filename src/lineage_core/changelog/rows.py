"""Rows of a state and of what comes to it, with numbers that tell which of them are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.layout import Layout
from lineage_core.changelog.values import column_codes, combined, is_nested, plain
from lineage_core.errors import WrongUsage

_OLD, _NEW = "place_in_state", "place_in_batch"


def without_unchanged(state: pa.Table, batch: pa.Table, primary_key: Sequence[str]) -> tuple[pa.Table, pa.Table]:
    """State and batch, of the same columns, without the rows of one key that are the same in both.

    Arrow compares whole columns, many times faster than the numbers of `values` are made. It may keep rows that are
    the same, as those with a NaN, and never leaves out one that is not. Where a key that both have is doubled, or
    Arrow cannot compare a column, nothing is left out.
    """
    if not (state.num_rows and batch.num_rows) or any(_is_incomparable(field.type) for field in state.schema):
        return state, batch
    old, new = _keys(state, primary_key, _OLD), _keys(batch, primary_key, _NEW)
    pairs = old.join(new, old.column_names[:-1], join_type="full outer")
    if _is_doubled(pairs[_OLD], old.num_rows) or _is_doubled(pairs[_NEW], new.num_rows):
        return state, batch
    changed = pairs.filter(pc.invert(_alike(state, batch, pairs)))
    return state.take(_sorted(changed[_OLD])), batch.take(_sorted(changed[_NEW]))


def _is_incomparable(kind: pa.DataType) -> bool:
    """Whether Arrow cannot say of such columns which values are equal."""
    return is_nested(kind) or pa.types.is_null(kind) or pa.types.is_float16(kind)


def _keys(table: pa.Table, primary_key: Sequence[str], place: str) -> pa.Table:
    columns = [plain(table.column(name).combine_chunks()) for name in primary_key]
    places = pc.cumulative_sum(pa.repeat(pa.scalar(1, pa.int64()), table.num_rows), start=-1)
    return pa.table([*columns, places], names=[*(f"key_{number}" for number in range(len(columns))), place])


def _is_doubled(places: pa.ChunkedArray, rows: int) -> bool:
    """Whether the other table has the key of a row more than once: the row then stands in several pairs."""
    return bool(len(places) - places.null_count > rows)


def _alike(state: pa.Table, batch: pa.Table, pairs: pa.Table) -> pa.ChunkedArray:
    """Which pairs have the same values. A row without a counterpart differs from it in the key, which is never NULL."""
    columns = (_same(_taken(state, name, pairs[_OLD]), _taken(batch, name, pairs[_NEW])) for name in state.column_names)
    return reduce(pc.and_, columns)


def _taken(table: pa.Table, name: str, places: pa.ChunkedArray) -> pa.ChunkedArray:
    return pa.chunked_array([plain(table[name].combine_chunks())]).take(places)


def _same(old: pa.ChunkedArray, new: pa.ChunkedArray) -> pa.ChunkedArray:
    both_null = pc.and_(pc.is_null(old), pc.is_null(new))
    return pc.or_(both_null, pc.fill_null(pc.equal(old, new), False))


def _sorted(places: pa.ChunkedArray) -> pa.Array:
    found = places.drop_null().combine_chunks()
    return found.take(pc.sort_indices(found))


_TEXTS = (pa.string(), pa.large_string(), pa.string_view())
_BYTES = (pa.binary(), pa.large_binary(), pa.binary_view())


class Rows:
    """The rows of a state, then those of a batch, in one table. A row is named by its place in it.

    `keys` has for each row the number of its key: the same for the same key. Without a primary key the row is the key.
    """

    def __init__(
        self,
        state: pa.Table | None,
        batch: pa.Table,
        primary_key: Sequence[str],
        layout: Layout,
        compare_columns: Sequence[str] | None = None,
        *,
        only_changed: bool = False,
    ) -> None:
        """`only_changed` may leave out rows of a key that are the same in state and batch.

        Raises WrongUsage if columns of state and batch differ, or the key is missing, NULL or of no exact type.
        """
        coming = layout.rows_of(batch)
        there = coming.schema.empty_table() if state is None else layout.rows_of(state)
        coming = _aligned(coming, there.schema)
        self.table = pa.concat_tables([there, coming])
        self._event_time = layout.vocabulary.event_time
        self._refuse_unknown([*primary_key, *(compare_columns or ())])
        self._refuse_as_key(primary_key)
        if only_changed:
            there, coming = without_unchanged(there, coming, primary_key)
        self.table = pa.concat_tables([there, coming]).combine_chunks()
        self.of_state = range(there.num_rows)
        self.of_batch = range(there.num_rows, self.table.num_rows)
        data = layout.data_columns(self.table.column_names)
        compared = [one for one in data if one not in primary_key] if compare_columns is None else compare_columns
        self._is_event_time_compared = compare_columns is None or self._event_time in compare_columns
        numbers = {name: self._numbers(name) for name in self.table.column_names}
        self._compared = self._codes(numbers, [one for one in compared if one != self._event_time])
        self._event_times = self._codes(numbers, [self._event_time])
        self._without_event_time = self.table.column(self._event_time).is_null().to_pylist()
        self.data = self._codes(numbers, data)
        self.whole = self._codes(numbers, self.table.column_names)
        self.keys = self._codes(numbers, primary_key) if primary_key else self.whole

    def is_changed(self, old: int, new: int) -> bool:
        """Whether rows of one key differ in a column that is compared. No event time is no change of it."""
        if self._compared[old] != self._compared[new]:
            return True
        is_timed = self._is_event_time_compared and not self._without_event_time[new]
        return is_timed and self._event_times[old] != self._event_times[new]

    def has_event_time(self, row: int) -> bool:
        return not self._without_event_time[row]

    def described(self, row: int, columns: Sequence[str]) -> str:
        """Values of a row, for a message."""
        shown = self.table.slice(row, 1).select(list(columns) or self.table.column_names).to_pylist()[0]
        return ", ".join(f"{name} = {value!r}" for name, value in shown.items())

    def _codes(self, numbers: Mapping[str, pa.Array], columns: Sequence[str]) -> list[int]:
        of_rows: list[int] = combined([numbers[name] for name in columns], self.table.num_rows).to_pylist()
        return of_rows

    def _numbers(self, name: str) -> pa.Array:
        """Of the values of a column. Found once, as most columns are in several sets that rows are compared by."""
        if not self.table.num_rows:
            return pa.array([], pa.int32())
        return column_codes(pa.concat_arrays(self.table.column(name).chunks)).cast(pa.int32())

    def _refuse_unknown(self, columns: Sequence[str]) -> None:
        if missing := [name for name in columns if name not in self.table.column_names]:
            raise WrongUsage(f"There is no column {', '.join(missing)}; there are {', '.join(self.table.column_names)}")

    def _refuse_as_key(self, primary_key: Sequence[str]) -> None:
        for name in primary_key:
            column = self.table.column(name)
            if is_nested(column.type) or pa.types.is_floating(column.type):
                raise WrongUsage(f"`{name}` cannot be in a primary key: it is {column.type}, which has no exact order")
            if column.null_count:
                row = column.is_null().to_pylist().index(True)
                raise WrongUsage(f"`{name}` is in the primary key and must not be NULL: {self.described(row, ())}")


def _aligned(batch: pa.Table, schema: pa.Schema) -> pa.Table:
    if {*batch.column_names} != {*schema.names}:
        more, fewer = ({*batch.column_names} - {*schema.names}, {*schema.names} - {*batch.column_names})
        says = [f"{word} {', '.join(sorted(names))}" for word, names in (("adds", more), ("lacks", fewer)) if names]
        raise WrongUsage(
            f"The batch has other columns than the state: it {' and '.join(says)}. Evolve the schema first"
        )
    return pa.Table.from_arrays([_as(batch.column(field.name), field) for field in schema], schema=schema)


def _as(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    alike = any(column.type in kinds and field.type in kinds for kinds in (_TEXTS, _BYTES))
    if column.type != field.type and not alike and not pa.types.is_null(column.type):
        raise WrongUsage(f"`{field.name}` is {column.type} in the batch and {field.type} in the state. Cast it first")
    if column.null_count and not field.nullable:
        raise WrongUsage(
            f"`{field.name}` is never NULL in the state, and is NULL in {column.null_count} rows of the batch"
        )
    return column.cast(field.type)
