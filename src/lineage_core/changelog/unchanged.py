"""Rows that are in a state and in a table that comes after it, left out before rows are compared one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.values import is_nested, plain

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
