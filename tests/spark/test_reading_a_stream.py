"""What others read of stream parts, and docs/how-to/read-a-stream.md as it is written."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from lineage_core.changelog import numbered, write_part
from lineage_core.files import FileFolder
from lineage_core.settings import PROJECT
from tests.support.record_tables import TIME, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

PAGE = (PROJECT / "docs" / "how-to" / "read-a-stream.md").read_text()
EXAMPLES = dict(re.findall(r"^## (.+?)$.*?^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
FRAME_EXAMPLE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[4]

LEADERBOARD = table((PROJECT / "tests" / "golden" / "changelog_streams" / "leaderboard" / "two_events.md").read_text())
LAST = table("|op|place|player_name|score|note|\n|-|-|-|-|-|\n|-R|2|Alice|100||\n|+A|3|Bob|60|new|")
NOW = [(1, "Charlie", 110), (3, "Bob", 60)]


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    """The leaderboard in parts by commit, the last one first, which has lost a column and has a new one."""
    folder = FileFolder(str(tmp_path))
    slices = [numbered(LEADERBOARD, 0, TIME).slice(*cut) for cut in ((0, 2), (2, 2), (4, 4))]
    slices.append(numbered(LAST, 8, TIME))
    parts = [write_part(folder, "leaderboard", number // 3, records) for number, records in enumerate(slices)]
    return [folder.file(part.name) for part in reversed(parts)]


def in_duckdb(query: str, paths: list[str]) -> list[tuple[Any, ...]]:
    return duckdb.execute(query, {"paths": paths}).fetchall()


@pytest.mark.parametrize("reader", ["DuckDB", "pandas", "Polars", "Spark", "This project's library"])
def test_an_example_gives_the_table_as_it_is_now(spark: SparkSession, paths: list[str], reader: str) -> None:
    for listed in (paths[::-1], paths):
        names: dict[str, Any] = {"paths": listed, "spark": spark}
        exec(EXAMPLES[reader], names)
        assert names["now"] == NOW, listed


def test_the_example_of_a_map_gives_a_stream(spark: SparkSession, paths: list[str]) -> None:
    names: dict[str, Any] = {"paths": paths, "spark": spark}
    exec(FRAME_EXAMPLE, names)
    with names["best"].slice(0, TIME) as records:
        assert [(row.offset, row.op, row.player_name) for row in records.collect()] == [
            (0, 0, "Alice"),
            (1, 2, "Alice"),
            (2, 3, "Charlie"),
        ]


def test_a_frame_of_parts_has_the_columns_of_all(spark: SparkSession, paths: list[str]) -> None:
    from lineage_core.spark.changelog_frame import ChangelogFrame

    records = ChangelogFrame.of_parts(spark, paths).select("note", "match_time").records
    assert {row.note for row in records.where("offset = 9").collect()} == {"new"}


def test_duckdb_reads_the_types_of_the_system_columns(paths: list[str]) -> None:
    columns = in_duckdb("DESCRIBE SELECT * FROM read_parquet($paths)", paths)
    assert [(name, kind) for name, kind, *_ in columns][:4] == [
        ("offset", "BIGINT"),
        ("op", "UTINYINT"),
        ("system_time", "TIMESTAMP WITH TIME ZONE"),
        ("event_time", "TIMESTAMP WITH TIME ZONE"),
    ]
    query = "SELECT DISTINCT epoch_ms(system_time) FROM read_parquet($paths)"
    assert in_duckdb(query, paths) == [(int(TIME.timestamp() * 1000),)]


def test_duckdb_sees_the_encodings_that_the_seed_asks_for(paths: list[str]) -> None:
    query = "SELECT path_in_schema, type, encodings FROM parquet_metadata($paths)"
    columns = in_duckdb(query, paths)
    assert {(kind, "RLE_DICTIONARY" in encodings) for name, kind, encodings in columns if name == "op"} == {
        ("INT32", True)
    }
    assert {"DELTA_BINARY_PACKED" in encodings for name, _, encodings in columns if name == "offset"} == {True}


def test_spark_reads_the_types_and_the_order_of_a_part(spark: SparkSession, paths: list[str]) -> None:
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    records = spark.read.parquet(*paths)
    types = dict(records.dtypes)
    assert [types[name] for name in ("offset", "op", "system_time", "event_time")] == [
        "bigint",
        "smallint",
        "timestamp",
        "timestamp",
    ]
    rows = spark.read.parquet(paths[1]).coalesce(1).collect()
    assert [(row.offset, row.op) for row in rows] == [(4, 2), (5, 3), (6, 2), (7, 3)]
    assert {row.system_time for row in rows} == {datetime.fromtimestamp(TIME.timestamp())}  # noqa: DTZ006
