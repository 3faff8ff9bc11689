"""The state that a stream of ours describes: its records, applied from the first to the last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from lineage_core.changelog.replay import replay, validate
from lineage_core.model.streams import SYSTEM_COLUMNS, DeclaredStream
from lineage_core.streams.arrow_records import arrow_schema

RECORDS_AT_ONCE = 1 << 18
"""Records that are applied together, at least: each time costs as much as the state is large."""

OFFSET, _, _, EVENT_TIME = SYSTEM_COLUMNS


def replayed(stream: DeclaredStream, parts: Iterable[pa.Table]) -> pa.Table:
    """The rows that are there after the last record, with the event time and the columns of the stream.

    Memory is that of the state, twice, and of the records that are applied together. Raises BrokenStream if a record
    does not follow from those before it.
    """
    state = _nothing(stream)
    waiting = list[pa.Table]()
    for part in parts:
        waiting.append(_with_all_columns(stream, part))
        if sum(map(len, waiting)) >= max(RECORDS_AT_ONCE, len(state)):
            state = _applied(stream, waiting, state)
            waiting.clear()
    return _applied(stream, waiting, state) if waiting else state


def _applied(stream: DeclaredStream, parts: list[pa.Table], state: pa.Table) -> pa.Table:
    records = pa.concat_tables(parts)
    validate(records, state, stream.key, expected_offset=parts[0].column(OFFSET)[0].as_py())
    return replay(records, state, stream.key)


def _nothing(stream: DeclaredStream) -> pa.Table:
    names = [EVENT_TIME, *(column.name for column in stream.columns)]
    return arrow_schema(stream).empty_table().select(names)


def _with_all_columns(stream: DeclaredStream, records: pa.Table) -> pa.Table:
    """As the stream has its columns now: a column that a part was written without is null there."""
    return pa.Table.from_arrays(list(_columns(stream, records)), schema=arrow_schema(stream))


def _columns(stream: DeclaredStream, records: pa.Table) -> Iterator[pa.ChunkedArray]:
    for field in arrow_schema(stream):
        if field.name in records.column_names:
            yield records.column(field.name)
        else:
            yield pa.chunked_array([pa.nulls(len(records), field.type)])
