"""A migration gives the same rows in Spark as in Arrow, by expressions of Spark alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, Row, SparkSession, types

from lineage_core.errors import WrongUsage
from lineage_core.evolution import MigrationType
from lineage_core.evolution.arrow import struct_of
from lineage_core.spark.schema_changes import FIELD_ID, as_spark_has_it, data_type, migrated, spark_type
from tests.support.evolving_schemas import Keyed, Numbered, Required, schema

pytestmark = pytest.mark.spark

DEEP = schema(
    a=Required("int64"),
    s={"x": "int32", "y": [{"q": "string", "r": Required("int8")}], "z": "string"},
    m=Keyed("string", {"v": pa.decimal128(5, 2), "w": ["int64"]}),
    k=Keyed({"x": Required("int64")}, "int64"),
    n=[["int64"]],
    d="double",
)
DEEPER = schema(
    new={"n": [{"t": pa.timestamp("us", "UTC")}]},
    a="int64",
    s={"w": "string", "y": [{"r": "int8", "p": {"one": "int64"}}], "z": "string"},
    m=Keyed("string", {"w": ["int64"], "u": "bool"}),
    k=Keyed({"z": "string", "x": "int64"}, "int64"),
    n=[["int64"]],
)
ROWS: list[dict[str, Any]] = [
    {
        "a": 1,
        "s": {"x": 1, "y": [{"q": "a", "r": 1}, None], "z": "z"},
        "m": [("k", {"v": None, "w": [1, None]}), ("l", None)],
        "k": [({"x": 7}, None)],
        "n": [[1], None, []],
        "d": 1.5,
    },
    {"a": 2, "s": None, "m": None, "k": [], "n": None, "d": None},
    {"a": 3, "s": {"x": None, "y": None, "z": None}, "m": [], "k": None, "n": [], "d": 0.0},
]


def history(*schemas: pa.Schema) -> MigrationType:
    latest = MigrationType.of(schemas[0])
    for following in schemas[1:]:
        latest = latest.evolve(following)
    return latest


def frame_of(spark: SparkSession, table: pa.Table, folder: Path) -> DataFrame:
    """The table as Spark reads it out of Parquet."""
    pq.write_table(table, folder / "part.parquet")
    return spark.read.parquet(str(folder / "part.parquet"))


def plain(value: Any) -> Any:
    """A value of Spark as Arrow gives it, but for the order of maps."""
    match value:
        case Row():
            return {name: plain(inner) for name, inner in zip(value.__fields__, value, strict=True)}
        case dict():
            return by_key([(plain(key), plain(inner)) for key, inner in value.items()])
        case list():
            return [plain(inner) for inner in value]
        case _:
            return value


def by_key(value: Any) -> Any:
    """A value of Arrow with its maps in one order: those of Spark come in another."""
    match value:
        case dict():
            return {name: by_key(inner) for name, inner in value.items()}
        case list() if any(type(inner) is tuple for inner in value):
            return sorted(((by_key(key), by_key(inner)) for key, inner in value), key=repr)
        case list():
            return [by_key(inner) for inner in value]
        case _:
            return value


CASES = {
    "everything at once": (DEEP, DEEPER),
    "nothing": (DEEP, DEEP),
    "no column is left": (DEEP, schema()),
    "a struct without fields": (DEEP, schema(s={}, m=Keyed("string", {}))),
    "one column of a struct": (DEEP, schema(s={"y": [{"r": Required("int8")}]})),
    "a name with a dot": (DEEP, schema({"a": "int64", "a.b": "string", "s": {"x": "int32", "y.z": "string"}})),
    "names that differ in case": (DEEP, schema({"a": "int64", "D": "string", "s": {"x": "int32", "Y": "string"}})),
}


@pytest.mark.parametrize("case", CASES)
def test_rows_are_those_of_arrow(spark: SparkSession, tmp_path: Path, case: str) -> None:
    before, after = CASES[case]
    table = pa.Table.from_pylist(ROWS, before)
    migration = history(before, after).migration_to(after)
    frame = migrated(frame_of(spark, table, tmp_path), migration)
    assert [plain(row) for row in frame.collect()] == by_key(migration.apply(table).to_pylist())
    assert data_type_of(frame) == as_spark_has_it(struct_of(after))


def data_type_of(frame: DataFrame) -> Any:
    return as_spark_has_it(data_type(frame.schema))


def test_no_python_runs_on_rows(spark: SparkSession, tmp_path: Path) -> None:
    frame = frame_of(spark, pa.Table.from_pylist(ROWS, DEEP), tmp_path)
    plan = migrated(frame, history(DEEP, DEEPER).migration_to(DEEPER))._jdf.queryExecution().toString()
    assert "Python" not in plan
    assert "transform" in plan


def test_over_three_schemas_at_once_and_step_by_step(spark: SparkSession, tmp_path: Path) -> None:
    latest = schema(s={"w": "string", "e": {"f": "int8"}}, m=Keyed("string", {"u": "bool"}))
    both = history(DEEP, DEEPER, latest)
    frame = frame_of(spark, pa.Table.from_pylist(ROWS, DEEP), tmp_path)
    between = migrated(frame, history(DEEP, DEEPER).migration_to(DEEPER))
    migration = both.migration_to(latest)
    assert migrated(between, migration).collect() == migrated(frame, migration).collect()


def test_a_name_under_a_new_id_is_another_field(spark: SparkSession) -> None:
    before = schema(a=Numbered(1, "int64"), s=Numbered(2, {"x": Numbered(1, "int64")}))
    after = schema(s=Numbered(2, {"x": Numbered(2, "string")}), a=Numbered(3, "string"))
    frame = spark.createDataFrame([(1, (2,))], spark_type(struct_of(before)))  # type: ignore[call-overload]
    made = migrated(frame, history(before, after).migration_to(after))
    assert [plain(row) for row in made.collect()] == [{"s": {"x": None}, "a": None}]
    inner = made.schema["s"].dataType
    assert isinstance(inner, types.StructType)
    assert [field.metadata[FIELD_ID] for field in (*made.schema, *inner)] == [2, 3, 2]


def test_types_that_spark_reads_as_others(spark: SparkSession, tmp_path: Path) -> None:
    before = schema(
        op=Required("uint8"),
        b=pa.uint32(),
        c=pa.uint64(),
        t=pa.timestamp("ms", "UTC"),
        l=pa.large_list(pa.large_string()),
    )
    after = schema(op=Required("uint8"), c=pa.uint64(), t=pa.timestamp("ms", "UTC"), l=pa.large_list(pa.large_string()))
    table = pa.Table.from_pylist([{"op": 3, "b": 1, "c": 2**63, "t": 0, "l": ["x"]}], before)
    frame = migrated(frame_of(spark, table, tmp_path), history(before, after).migration_to(after))
    assert [(row.op, int(row.c), row.l) for row in frame.collect()] == [(3, 2**63, ["x"])]


def test_a_frame_of_no_earlier_schema_is_refused(spark: SparkSession) -> None:
    migration = history(schema(a="int64")).migration_to(schema(a="int64"))
    with pytest.raises(WrongUsage, match="a is string, not int64"):
        migrated(spark.createDataFrame([("x",)], "a string"), migration)
    with pytest.raises(WrongUsage, match="b was never a field"):
        migrated(spark.createDataFrame([(1, 2)], "a bigint, b bigint"), migration)


def test_a_type_that_only_one_has_is_named() -> None:
    with pytest.raises(WrongUsage, match=r"Spark has no type for time64\[ns\]"):
        spark_type(struct_of(schema(a=pa.time64("ns"))))
    with pytest.raises(WrongUsage, match="variant is a type of Spark alone"):
        data_type(types.VariantType())


def test_types_come_back() -> None:
    """Of all that Spark has, with what may be null."""
    both = struct_of(
        schema(
            a=Required("int64"),
            b=[Required({"x": "bool", "t": pa.timestamp("us"), "u": pa.timestamp("us", "UTC")})],
            m=Keyed("string", Required(pa.decimal128(7, 3))),
            d=Numbered(1, "date32"),
        )
    )
    assert data_type(spark_type(both)) == both
