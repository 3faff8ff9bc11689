"""The columns of a changelog stream in Arrow: types, order, and which rows they may hold (seed 002, ODF).

`offset` is int64, where ODF writes uint64: Spark would read uint64 as decimal(20, 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.operations import Operation, steps_of
from lineage_core.changelog.types import as_stored
from lineage_core.changelog.vocabulary import FORMER_COLUMN, ODF_NAMES, REPLACED, DatasetVocabulary
from lineage_core.errors import WrongUsage

OFFSET = pa.int64()
OPERATION = pa.uint8()
TIME = pa.timestamp("ms", tz="UTC")

_NEW = [int(Operation.APPEND), int(Operation.CORRECT_TO)]


@dataclass(frozen=True)
class Layout:
    """The columns of slices, changes and states: which of them there are, and what they hold."""

    vocabulary: DatasetVocabulary = ODF_NAMES
    """What the system columns are called."""

    def system_fields(self, event_time: pa.DataType = TIME) -> list[pa.Field]:
        """The system columns in their order. The event time alone may be absent from a row, or be a date."""
        return [
            pa.field(self.vocabulary.offset, OFFSET, nullable=False),
            pa.field(self.vocabulary.operation_type, OPERATION, nullable=False),
            pa.field(self.vocabulary.system_time, TIME, nullable=False),
            pa.field(self.vocabulary.event_time, event_time),
        ]

    def data_columns(self, columns: Sequence[str]) -> list[str]:
        """The columns that are not system columns, in their order."""
        system = {*self.vocabulary.columns}
        return [column for column in columns if column not in system]

    def refuse_without_operation(self, schema: pa.Schema) -> None:
        """Raises WrongUsage if a table has no operation column of the right type, or the column that came before it."""
        name = self.vocabulary.operation_type
        if name not in schema.names:
            former = f" It has `{FORMER_COLUMN}`. {REPLACED}" if FORMER_COLUMN in schema.names else ""
            raise WrongUsage(f"This is no changelog stream: it has no operation column `{name}`.{former}")
        if not pa.types.is_integer(schema.field(name).type):
            raise WrongUsage(f"The operation column `{name}` is {schema.field(name).type}; it must be {OPERATION}")

    def slice_of(self, table: pa.Table) -> pa.Table:
        """The table with the columns of a slice: system columns first, in their order and types, then data columns.

        Times are cut to milliseconds, and data columns have the types as which they are stored (`types`). Raises
        WrongUsage if a system column is missing, holds NULL where none may be, or does not fit; if offsets have a gap;
        if an operation has an unknown number; if a type cannot be stored.
        """
        self.refuse_without_operation(table.schema)
        table = as_stored(table, self.data_columns(table.column_names))
        if missing := [column for column in self.vocabulary.columns if column not in table.column_names]:
            raise WrongUsage(f"This is no slice of a changelog stream: it has no column {', '.join(missing)}")
        event_type = table.schema.field(self.vocabulary.event_time).type
        fields = self.system_fields(event_type if pa.types.is_date32(event_type) else TIME)
        columns = [_cast(table.column(field.name), field) for field in fields]
        names = self.data_columns(table.column_names)
        schema = pa.schema([*fields, *(table.schema.field(name) for name in names)])
        made = pa.Table.from_arrays([*columns, *(table.column(name) for name in names)], schema=schema)
        self._refuse_wrong_numbers(made)
        return made

    def rows_of(self, table: pa.Table) -> pa.Table:
        """The rows that a table or a stream is about: event time, cut to milliseconds, and data columns.

        A table without an event time has NULL there. Data columns have the types as which they are stored; one of a
        batch may hold nothing but NULL, and have no type. Raises WrongUsage if its event time is neither a time nor a
        date, or a type cannot be stored.
        """
        table = as_stored(table, self.data_columns(table.column_names), may_be_null=True)
        name = self.vocabulary.event_time
        if name in table.column_names:
            kind = table.schema.field(name).type
            field = pa.field(name, kind if pa.types.is_date32(kind) else TIME)
            event_time = _cast(table.column(name), field)
        else:
            field = pa.field(name, TIME)
            event_time = pa.chunked_array([pa.nulls(table.num_rows, TIME)])
        names = self.data_columns(table.column_names)
        schema = pa.schema([field, *(table.schema.field(one) for one in names)])
        return pa.Table.from_arrays([event_time, *(table.column(one) for one in names)], schema=schema)

    def operations_of(self, table: pa.Table) -> list[Operation]:
        """What each record does. Raises WrongUsage if the table has no operation column, or it is not one."""
        self.refuse_without_operation(table.schema)
        name = self.vocabulary.operation_type
        column = _cast(table.column(name), pa.field(name, OPERATION, nullable=False))
        _refuse_unknown_operation(column, name)
        return [Operation(number) for number in column.to_pylist()]

    def offsets_of(self, table: pa.Table) -> list[int]:
        """The offset of each record, or its place where the records have none yet."""
        if self.vocabulary.offset in table.column_names:
            return [int(offset) for offset in table.column(self.vocabulary.offset).to_pylist()]
        return list(range(table.num_rows))

    def first_offset(self, table: pa.Table) -> int:
        """Of a slice; 0 if it is empty."""
        offsets = table.column(self.vocabulary.offset)
        return int(offsets[0].as_py()) if len(offsets) else 0

    def changes_of(self, operations: Sequence[Operation], rows: pa.Table) -> pa.Table:
        """Records that have no offset and no system time yet: operation, event time and data columns."""
        field = pa.field(self.vocabulary.operation_type, OPERATION, nullable=False)
        return rows.add_column(0, field, pa.array([int(one) for one in operations], OPERATION))

    def numbered(
        self,
        changes: pa.Table,
        first_offset: int,
        system_time: datetime,
        event_time: datetime | None = None,
    ) -> pa.Table:
        """The slice that changes make, from an offset on, as `slice_of` gives it.

        `event_time` stands in the appended and corrected rows that have none. What retracts and corrects away keeps
        what it had; so it is not for changes that change a key twice, as those of a ChangelogStream may. Raises
        WrongUsage as `slice_of` does.
        """
        made = self.changes_of(self.operations_of(changes), self.rows_of(changes))
        filled = made if event_time is None else self._event_times_filled(made, event_time)
        rows = changes.num_rows
        offsets = pa.array(range(first_offset, first_offset + rows), OFFSET)
        times = pa.repeat(pa.scalar(system_time, pa.timestamp("us", tz="UTC")), rows)
        return self.slice_of(
            filled.append_column(self.vocabulary.offset, offsets).append_column(self.vocabulary.system_time, times)
        )

    def refuse_split_pairs(self, records: pa.Table) -> None:
        """Raises BrokenStream if a -C is not at once followed by a +C, or one of the two stands alone at an end."""
        operations = self.operations_of(records)
        for _ in steps_of(operations, range(len(operations)), self.offsets_of(records)):
            pass

    def records_up_to(self, stream: str, records: pa.Table, at: int) -> pa.Table:
        """Records without those behind the offset `at`. Raises WrongUsage if the last of them is a -C."""
        if not records.num_rows:
            return records
        kept = records.slice(0, at + 1 - records.column(self.vocabulary.offset)[0].as_py())
        if kept.num_rows and kept.column(self.vocabulary.operation_type)[-1].as_py() == Operation.CORRECT_FROM:
            raise WrongUsage(
                f"The record {at} of the stream {stream} is a -C, and {at + 1} is its +C: choose one of them"
            )
        return kept

    def _event_times_filled(self, changes: pa.Table, event_time: datetime) -> pa.Table:
        name = self.vocabulary.event_time
        new = pc.is_in(changes.column(self.vocabulary.operation_type), value_set=pa.array(_NEW, OPERATION))
        missing = pc.and_(new, pc.is_null(changes.column(name)))
        kind = changes.schema.field(name).type
        filled = pc.if_else(
            missing, pa.scalar(event_time, pa.timestamp("us", tz="UTC")).cast(kind, safe=False), changes.column(name)
        )
        return changes.set_column(changes.column_names.index(name), changes.schema.field(name), filled)

    def _refuse_wrong_numbers(self, table: pa.Table) -> None:
        _refuse_unknown_operation(table.column(self.vocabulary.operation_type), self.vocabulary.operation_type)
        offsets = table.column(self.vocabulary.offset)
        expected = pa.array(range(first := self.first_offset(table), first + len(offsets)), OFFSET)
        wrong = pc.index(pc.equal(offsets, pa.chunked_array([expected])), False).as_py()
        if first < 0 or wrong >= 0:
            place = max(wrong, 0)
            raise WrongUsage(f"Offsets have no gap; here {offsets[place]} stands where {max(first, 0) + place} belongs")


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


def _refuse_unknown_operation(column: pa.ChunkedArray, name: str) -> None:
    largest = pc.max(column).as_py()
    if largest is not None and largest > max(Operation):
        raise WrongUsage(f"The operation column `{name}` has {largest}; the largest is {max(Operation)}")
