"""The columns of a changelog stream in Arrow: types, order, and which rows they may hold (seed 002, ODF).

`offset` is int64, where ODF writes uint64: Spark would read uint64 as decimal(20, 0).
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.operations import Operation
from lineage_core.changelog.vocabulary import FORMER_COLUMN, REPLACED, DatasetVocabulary
from lineage_core.errors import BrokenStream, WrongUsage

STANDARD = DatasetVocabulary()

OFFSET = pa.int64()
OPERATION = pa.uint8()
TIME = pa.timestamp("ms", tz="UTC")


def system_fields(vocabulary: DatasetVocabulary, event_time: pa.DataType = TIME) -> list[pa.Field]:
    """The system columns in their order. The event time alone may be absent from a row, or be a date."""
    return [
        pa.field(vocabulary.offset, OFFSET, nullable=False),
        pa.field(vocabulary.operation_type, OPERATION, nullable=False),
        pa.field(vocabulary.system_time, TIME, nullable=False),
        pa.field(vocabulary.event_time, event_time),
    ]


def data_columns(columns: Sequence[str], vocabulary: DatasetVocabulary) -> list[str]:
    """The columns that are not system columns, in their order."""
    system = {*vocabulary.columns}
    return [column for column in columns if column not in system]


def refuse_without_operation(schema: pa.Schema, vocabulary: DatasetVocabulary) -> None:
    """Raises WrongUsage if a table has no operation column of the right type, or the column that came before it."""
    name = vocabulary.operation_type
    if name not in schema.names:
        former = f" It has `{FORMER_COLUMN}`. {REPLACED}" if FORMER_COLUMN in schema.names else ""
        raise WrongUsage(f"This is no changelog stream: it has no operation column `{name}`.{former}")
    if not pa.types.is_integer(schema.field(name).type):
        raise WrongUsage(f"The operation column `{name}` is {schema.field(name).type}; it must be {OPERATION}")


def slice_of(table: pa.Table, vocabulary: DatasetVocabulary = STANDARD) -> pa.Table:
    """The table with the columns of a slice: system columns first, in their order and types, then data columns.

    Times are cut to milliseconds. Raises WrongUsage if a system column is missing, holds NULL where none may be, or
    does not fit; if offsets have a gap; if an operation has an unknown number.
    """
    refuse_without_operation(table.schema, vocabulary)
    if missing := [column for column in vocabulary.columns if column not in table.column_names]:
        raise WrongUsage(f"This is no slice of a changelog stream: it has no column {', '.join(missing)}")
    event_type = table.schema.field(vocabulary.event_time).type
    fields = system_fields(vocabulary, event_type if pa.types.is_date32(event_type) else TIME)
    columns = [_cast(table.column(field.name), field) for field in fields]
    names = data_columns(table.column_names, vocabulary)
    schema = pa.schema([*fields, *(table.schema.field(name) for name in names)])
    made = pa.Table.from_arrays([*columns, *(table.column(name) for name in names)], schema=schema)
    _refuse_wrong_numbers(made, vocabulary)
    return made


def _cast(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    if column.null_count and not field.nullable:
        raise WrongUsage(f"The column `{field.name}` of a changelog stream holds no NULL; here are {column.null_count}")
    if pa.types.is_timestamp(column.type) and field.type == TIME:
        return _milliseconds(column, field.name)
    try:
        return column.cast(field.type)
    except pa.ArrowInvalid as error:
        raise WrongUsage(f"The column `{field.name}` must be {field.type}, not {column.type}: {error}") from error
    except pa.ArrowNotImplementedError as error:
        raise WrongUsage(f"The column `{field.name}` must be {field.type}, not {column.type}") from error


def _milliseconds(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    """Cut, not rounded: also times before 1970 become the millisecond in which they were."""
    if column.type.tz is None:
        raise WrongUsage(f"The times of `{name}` have no time zone; say that they are UTC, or convert them")
    return pc.floor_temporal(column.cast(pa.timestamp(column.type.unit, tz="UTC")), unit="millisecond").cast(TIME)


def _refuse_wrong_numbers(table: pa.Table, vocabulary: DatasetVocabulary) -> None:
    operations = table.column(vocabulary.operation_type)
    largest = pc.max(operations).as_py()
    if largest is not None and largest > max(Operation):
        raise WrongUsage(f"The operation column `{vocabulary.operation_type}` has {largest}; the largest is 3")
    offsets = table.column(vocabulary.offset)
    expected = pa.array(range(first := first_offset(table, vocabulary), first + len(offsets)), OFFSET)
    wrong = pc.index(pc.equal(offsets, pa.chunked_array([expected])), False).as_py()
    if first < 0 or wrong >= 0:
        place = max(wrong, 0)
        raise WrongUsage(f"Offsets have no gap; here {offsets[place]} stands where {max(first, 0) + place} belongs")


def first_offset(table: pa.Table, vocabulary: DatasetVocabulary = STANDARD) -> int:
    """Of a slice; 0 if it is empty."""
    offsets = table.column(vocabulary.offset)
    return int(offsets[0].as_py()) if len(offsets) else 0


def refuse_split_pairs(table: pa.Table, vocabulary: DatasetVocabulary = STANDARD) -> None:
    """Raises BrokenStream if a correct-from is not at once followed by a correct-to, or stands alone at an end."""
    operations = table.column(vocabulary.operation_type).combine_chunks()
    begins = pa.concat_arrays([pa.array([False]), pc.equal(operations, Operation.CORRECT_FROM)])
    follows = pa.concat_arrays([pc.equal(operations, Operation.CORRECT_TO), pa.array([False])])
    wrong = pc.index(pc.equal(begins, follows), False).as_py()
    if wrong < 0:
        return
    first = first_offset(table, vocabulary)
    if begins[wrong].as_py():
        raise BrokenStream("a -C is at once followed by its +C", first + wrong - 1, "no +C follows")
    raise BrokenStream("a +C at once follows its -C", first + wrong, "no -C is before it")
