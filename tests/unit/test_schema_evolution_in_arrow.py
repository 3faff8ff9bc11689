"""Migrations of Arrow's tables: nothing is copied that need not be, and slices, chunks and nulls are right."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lineage_core.evolution import MigrationType
from tests.support.evolving_schemas import Keyed, Required, schema


def migrate(table: pa.Table, target: pa.Schema) -> pa.Table:
    result = MigrationType.of(table.schema).evolve(target).migration_to(target).apply(table)
    result.validate(full=True)
    assert result.schema.equals(target)
    return result


def addresses(array: Any) -> set[int]:
    return {buffer.address for buffer in array.buffers() if buffer is not None and buffer.size}


NESTED = {
    "struct": (schema(v={"x": "int64", "y": "string"}), schema(v={"y": "string"}), {"x": 1, "y": "a"}, {"y": "a"}),
    "list": (
        schema(v=[{"x": "int64", "y": "string"}]),
        schema(v=[{"y": "string"}]),
        [{"x": 1, "y": "a"}],
        [{"y": "a"}],
    ),
    "large list": (
        schema(v=pa.large_list(pa.struct([("x", pa.int8()), ("y", pa.string())]))),
        schema(v=pa.large_list(pa.struct([("y", pa.string())]))),
        [{"x": 1, "y": "a"}, None],
        [{"y": "a"}, None],
    ),
    "list of one size": (
        schema(v=pa.list_(pa.struct([("x", pa.int8()), ("y", pa.string())]), 2)),
        schema(v=pa.list_(pa.struct([("y", pa.string())]), 2)),
        [{"x": 1, "y": "a"}, None],
        [{"y": "a"}, None],
    ),
    "map": (
        schema(v=Keyed("string", {"x": "int64", "y": "string"})),
        schema(v=Keyed("string", {"y": "string"})),
        [("k", {"x": 1, "y": "a"}), ("l", None)],
        [("k", {"y": "a"}), ("l", None)],
    ),
    "struct without fields": (schema(v={"x": "int64"}), schema(v={}), {"x": 1}, {}),
    "key of a map": (
        schema(v=Keyed({"x": Required("int64")}, "int64")),
        schema(v=Keyed({"z": "string", "x": "int64"}, "int64")),
        [({"x": 1}, 2)],
        [({"z": None, "x": 1}, 2)],
    ),
}


@pytest.mark.parametrize("kind", NESTED)
def test_slices_that_begin_anywhere(kind: str) -> None:
    """Masks of nulls are bits: a slice may begin within a byte, and so may a slice of it."""
    before, after, value, expected = NESTED[kind]
    whole = pa.Table.from_pylist([{"v": None if row % 3 == 1 else value} for row in range(30)], before)
    for start in range(18):
        for slice_ in (whole.slice(start, 9), whole.slice(start // 2).slice(start - start // 2, 9)):
            rows = [None if row % 3 == 1 else expected for row in range(start, start + 9)]
            assert migrate(slice_, after).column("v").to_pylist() == rows


@pytest.mark.parametrize("kind", NESTED)
def test_chunks(kind: str) -> None:
    before, after, value, expected = NESTED[kind]
    one = pa.Table.from_pylist([{"v": value}, {"v": None}], before)
    result = migrate(pa.concat_tables([one, one.slice(1), one.slice(0, 0), one]), after)
    assert result.column("v").to_pylist() == [expected, None, None, expected, None]


@pytest.mark.parametrize("kind", NESTED)
def test_no_rows(kind: str) -> None:
    before, after, *_ = NESTED[kind]
    assert migrate(before.empty_table(), after).num_rows == 0
    assert migrate(pa.Table.from_batches([], before), after).num_rows == 0


@pytest.mark.parametrize("kind", [kind for kind in NESTED if kind != "key of a map"])  # which adds a column
def test_what_stays_is_not_copied(kind: str) -> None:
    before, after, value, _ = NESTED[kind]
    table = pa.Table.from_pylist([{"v": value}, {"v": None}] * 40, before).slice(8)
    kept = addresses(migrate(table, after).column("v").chunk(0))
    offset = table.column("v").chunk(0).buffers()[0].address + 1  # the mask, from the eighth row on
    assert kept <= addresses(table.column("v").chunk(0)) | ({offset} if kind.startswith("struct") else set())


def test_a_column_that_stays_is_the_same_memory() -> None:
    table = pa.Table.from_pylist([{"a": 1, "b": "x"}] * 9, schema(a=Required("int64"), b="string"))
    result = migrate(table, schema(a="int64", c="int8"))
    assert addresses(result.column("a").chunk(0)) == addresses(table.column("a").chunk(0))


def test_a_null_struct_stays_null_and_a_struct_of_nulls_does_not_become_it() -> None:
    table = pa.Table.from_pylist([{"s": None}, {"s": {"x": None}}, {"s": {"x": 1}}], schema(s={"x": "int64"}))
    added = schema(s={"x": "int64", "y": "int8"})
    assert migrate(table, added).column("s").to_pylist() == [None, {"x": None, "y": None}, {"x": 1, "y": None}]


def test_a_table_without_columns_keeps_its_rows() -> None:
    table = pa.concat_tables([pa.table({"a": [1, 2]}), pa.table({"a": [3]})])
    nothing = migrate(table, schema())
    assert (nothing.num_rows, nothing.num_columns) == (3, 0)
    assert migrate(nothing, schema(b="int8")).column("b").to_pylist() == [None] * 3


@pytest.mark.parametrize(
    "type_",
    [
        pa.null(),
        pa.bool_(),
        pa.uint8(),
        pa.uint64(),
        pa.float16(),
        pa.float32(),
        pa.decimal32(5, 2),
        pa.decimal64(5, -2),
        pa.decimal128(38, 10),
        pa.decimal256(60, 0),
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.large_binary(),
        pa.binary_view(),
        pa.binary(16),
        pa.date32(),
        pa.date64(),
        pa.time32("s"),
        pa.time32("ms"),
        pa.time64("us"),
        pa.time64("ns"),
        pa.timestamp("s"),
        pa.timestamp("ns"),
        pa.timestamp("ms", "Europe/Berlin"),
        pa.timestamp("us", "+01:00"),
        pa.duration("ns"),
        pa.month_day_nano_interval(),
    ],
    ids=str,
)
def test_every_primitive_type_comes_back(type_: pa.DataType) -> None:
    one = schema(a=type_, s={"x": [type_]})
    assert MigrationType.of(one).current() == one
    assert migrate(pa.table({"z": [1]}), schema(z="int64", a=type_)).column("a").to_pylist() == [None]


def test_types_nested_deeply() -> None:
    before, after, value, expected = "int64", "int64", 1, 1
    for _ in range(60):
        before, after = {"x": [before], "gone": "int8"}, {"x": [after]}  # type: ignore[assignment]
        value, expected = {"x": [value, None], "gone": 1}, {"x": [expected, None]}  # type: ignore[assignment]
    table = pa.Table.from_pylist([{"v": value}], schema(v=before))
    assert migrate(table, schema(v=after)).to_pylist() == [{"v": expected}]


def test_an_added_struct_can_be_written_although_its_own_fields_are_never_null() -> None:
    """Below a null struct Parquet takes no null, where the field may have none."""
    added = schema(a="int64", s={"f": Required({"x": Required("int64"), "y": ["string"]})})
    latest = MigrationType.of(schema(a="int64")).evolve(added)
    migrated = latest.migration_to(added).apply(pa.table({"a": [1, 2, 3]}))
    migrated.validate(full=True)
    sink = pa.BufferOutputStream()
    pq.write_table(migrated, sink)
    assert pq.read_table(pa.BufferReader(sink.getvalue())).column("s").to_pylist() == [None] * 3
