"""Records of our streams between the lines of CSV that Postgres writes and reads, and Arrow."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from lineage_core.changelog.layout import OFFSET, OPERATION, TIME
from lineage_core.changelog.parts import readable
from lineage_core.declare.streams import SYSTEM_COLUMNS, DeclaredStream, StreamColumn
from lineage_core.declare.vocabulary import BIGINT, BOOLEAN, BYTEA, INTEGER
from lineage_core.streams.columns import is_list, is_time

INSTANT = pa.timestamp("us", tz="UTC")
"""The times of a table. An infinite one is as far as it goes."""

_COMMIT, _OPERATION, _EVENT_TIME = "commit_number", "op", "event_time"


def arrow_schema(stream: DeclaredStream) -> pa.Schema:
    """The columns of a stream's parts. A uuid is its text, a document its JSON."""
    return pa.schema([*system_schema(), *data_schema(stream)])


def system_schema() -> pa.Schema:
    """The columns that every stream of the store has."""
    offset, operation, system_time, event_time = SYSTEM_COLUMNS
    return pa.schema(
        [
            pa.field(offset, OFFSET, nullable=False),
            pa.field(operation, OPERATION, nullable=False),
            pa.field(system_time, TIME, nullable=False),
            pa.field(event_time, TIME),
        ]
    )


def data_schema(stream: DeclaredStream) -> pa.Schema:
    """The columns of a stream without those that every stream has: what the registry knows as its schema."""
    return pa.schema([pa.field(column.name, _arrow_type(column), column.nullable) for column in stream.columns])


def records_of_lines(
    stream: DeclaredStream, text: bytes, start_offset: int, system_time: datetime
) -> tuple[pa.Table, list[int]]:
    """The records of some lines, from an offset on, and the offset of the last record of each transaction in them."""
    read = _read(text, {_COMMIT: pa.int64(), _OPERATION: OPERATION, _EVENT_TIME: pa.int64(), **_travelling(stream)})
    offsets = pa.array(range(start_offset, start_offset + len(read)), OFFSET)
    system_times = pa.repeat(pa.scalar(system_time, TIME), len(read))
    event_times = read.column(_EVENT_TIME).cast(TIME)
    data = [_arrived(column, read.column(column.name)) for column in stream.columns]
    columns = [offsets, read.column(_OPERATION), system_times, event_times, *data]
    return pa.Table.from_arrays(columns, schema=arrow_schema(stream)), _ends(read.column(_COMMIT), start_offset)


def lines_of_records(stream: DeclaredStream, records: pa.Table) -> bytes:
    """Operation, event time in milliseconds since 1970, and the columns of the stream; a column that is not there is
    null."""
    _, operation, _, event_time = SYSTEM_COLUMNS
    columns = [
        records.column(operation),
        records.column(event_time).cast(pa.int64()),
        *(_departing(column, _column(records, column)) for column in stream.columns),
    ]
    names = [operation, event_time, *(column.name for column in stream.columns)]
    sink = io.BytesIO()
    csv.write_csv(pa.Table.from_arrays(columns, names=names), sink, csv.WriteOptions(include_header=False))
    return sink.getvalue()


def rows_of_records(records: pa.Table) -> Iterator[dict[str, Any]]:
    """A dictionary for each record. A time that no calendar has, as an infinite one, is its number since 1970."""
    columns = [_values(column) for column in records.columns]
    for values in zip(*columns, strict=True):
        yield dict(zip(records.column_names, values, strict=True))


def _values(values: pa.ChunkedArray) -> list[Any]:
    """Of a column of times in which one is too far away, all are numbers."""
    try:
        found: list[Any] = values.to_pylist()
    except (ValueError, OverflowError):
        found = values.cast(pa.int64()).to_pylist()
    return found


def _column(records: pa.Table, column: StreamColumn) -> pa.ChunkedArray:
    if column.name in records.column_names:
        return records.column(column.name)
    return pa.chunked_array([pa.nulls(len(records), _arrow_type(column))])


def _arrow_type(column: StreamColumn) -> pa.DataType:
    if is_time(column.type):
        return INSTANT
    if is_list(column.type):
        return pa.list_(pa.string())
    return _SAME.get(column.type, pa.string())


_SAME = {BOOLEAN: pa.bool_(), INTEGER: pa.int32(), BIGINT: pa.int64(), BYTEA: pa.binary()}
"""Types that travel as what they are. All others are texts."""


def _travelling(stream: DeclaredStream) -> dict[str, pa.DataType]:
    return {column.name: _travelling_type(column) for column in stream.columns}


def _travelling_type(column: StreamColumn) -> pa.DataType:
    if is_time(column.type):
        return pa.int64()
    return pa.string() if column.type == BYTEA else _SAME.get(column.type, pa.string())


def _read(text: bytes, types: dict[str, pa.DataType]) -> pa.Table:
    """Postgres quotes a text that is empty, and leaves a null empty. All is one block: a line may be of any length."""
    return csv.read_csv(
        readable(text),
        read_options=csv.ReadOptions(column_names=list(types), block_size=len(text) + 1, use_threads=False),
        parse_options=csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False),
        convert_options=csv.ConvertOptions(
            column_types=types,
            null_values=[""],
            true_values=["t"],
            false_values=["f"],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _arrived(column: StreamColumn, values: pa.ChunkedArray) -> pa.ChunkedArray:
    if is_time(column.type):
        return values.cast(INSTANT)
    if is_list(column.type):
        return _each(values, json.loads, pa.list_(pa.string()))
    if column.type == BYTEA:
        return _each(values, lambda text: bytes.fromhex(text.removeprefix("\\x")), pa.binary())
    return values


def _departing(column: StreamColumn, values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Letter by letter as Postgres makes it travel: what is published is compared with what is there."""
    if is_time(column.type):
        return values.cast(pa.int64())
    if is_list(column.type):
        return _each(values, partial(json.dumps, ensure_ascii=False), pa.string())
    if column.type == BYTEA:
        return _each(values, lambda value: f"\\x{value.hex()}", pa.string())
    return values


def _each(values: pa.ChunkedArray, change: Callable[[Any], Any], into: pa.DataType) -> pa.ChunkedArray:
    changed: Iterator[Any] = (None if value is None else change(value) for value in values.to_pylist())
    return pa.chunked_array([pa.array(list(changed), into)])


def _ends(commits: pa.ChunkedArray, start_offset: int) -> list[int]:
    numbers = commits.combine_chunks()
    changes = pc.indices_nonzero(pc.not_equal(numbers[:-1], numbers[1:])).to_pylist()
    return [start_offset + place for place in (*changes, len(numbers) - 1)]
