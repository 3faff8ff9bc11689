"""The example pipeline's job: the leaderboard after each round, as the changelog RFC's guide tells it."""

from __future__ import annotations

import importlib.util
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyspark.errors import NumberFormatException

from lineage_core.changelog import FolderHead, Form, StreamFolder, converted, numbered, replay, validate, write_part
from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from lineage_core.settings import PROJECT
from lineage_core.spark.changelog import read_parts
from tests.support.record_tables import TIME, read, written

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

PLACE = ("place",)
GOLDEN = PROJECT / "tests" / "golden" / "changelog_streams" / "leaderboard"
MATCHES = {"t1": datetime(2026, 11, 1, 18, tzinfo=UTC)} | {
    f"t{number}": datetime(2026, 11, number, 18, tzinfo=UTC) for number in (2, 3)
}
LATE = datetime(2026, 11, 1, 20, tzinfo=UTC)
SYSTEM = ("offset", "system_time", "event_time", "old_event_time")
"""Columns that the seed's tables do not have."""


@pytest.fixture(scope="module")
def job() -> ModuleType:
    """The job's script; scripts of spark_jobs are in no package."""
    file = PROJECT / "spark_jobs" / "match_scores_leaderboard.py"
    specification = importlib.util.spec_from_file_location(file.stem, file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def few_partitions(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.fixture
def stream(tmp_path: Path) -> StreamFolder:
    return StreamFolder(FileFolder(str(tmp_path / "games" / "leaderboard")), "leaderboard")


def board(spark: SparkSession, job: ModuleType, last_round: int) -> DataFrame:
    scores = spark.read.csv(str(job.SCORES), schema=job.COLUMNS, header=True)
    made: DataFrame = job.leaderboard(job.arrived(scores, last_round))
    return made


def golden(form: Form) -> list[Any]:
    return [
        tuple(MATCHES.get(cell, cell) for cell in row) for row in written(read(GOLDEN / f"{form.replace(' ', '_')}.md"))
    ]


def by_commit(stream: StreamFolder, heads: list[FolderHead]) -> list[pa.Table]:
    records, starts = stream.records(heads[-1]), [0, *(head.next_offset for head in heads)]
    return [records.slice(start, end - start) for start, end in pairwise(starts)]


@pytest.mark.slow
def test_the_stream_is_the_seeds_in_all_forms_and_late_scores_correct_it(
    spark: SparkSession, job: ModuleType, stream: StreamFolder
) -> None:
    heads = []
    for number in (1, 2, 3, 4, 4):  # a round that is run again publishes nothing
        heads.append(job.publish(board(spark, job, number), stream, TIME + timedelta(days=number)))
    assert [head.next_offset for head in heads] == [2, 4, 8, 10, 10]
    assert heads[-1] == heads[-2]
    *rounds, late, _ = by_commit(stream, heads)
    assert written(pa.concat_tables(rounds), *SYSTEM) == golden(Form.TWO_EVENTS)
    assert written(late, *SYSTEM) == [
        ("-C", 2, MATCHES["t1"], "Alice", 100),
        ("+C", 2, LATE, "Dana", 105),
    ]
    for form in (Form.RETRACT, Form.UPSERT, Form.ONE_EVENT):
        made = [row for one in rounds for row in written(converted(one, Form.TWO_EVENTS, form, PLACE), *SYSTEM)]
        assert sorted(made, key=repr) == sorted(golden(form), key=repr)
    records = stream.records(heads[-1])
    validate(records, None, PLACE, expected_offset=0)
    assert records.column("event_time").to_pylist() == records.column("match_time").to_pylist()
    assert _rows(replay(records, None, PLACE)) == _rows(board(spark, job, 4).toArrow())


def _rows(table: pa.Table) -> list[tuple[Any, ...]]:
    columns = ["place", "match_time", "player_name", "score"]
    return sorted(tuple(row.values()) for row in table.select(columns).to_pylist())


def test_what_is_gone_of_the_scores_is_retracted(spark: SparkSession, job: ModuleType, stream: StreamFolder) -> None:
    job.publish(board(spark, job, 1), stream, TIME)
    head = job.publish(board(spark, job, 0), stream, TIME - timedelta(days=1))  # a clock that went back
    records = stream.records(head)
    assert [code for code, *_ in written(records, *SYSTEM)] == ["+A", "+A", "-R", "-R"]
    assert set(records.column("system_time").to_pylist()) == {TIME}
    assert replay(records, None, PLACE).num_rows == 0


def test_parts_are_read_with_the_columns_that_the_last_one_has(spark: SparkSession, stream: StreamFolder) -> None:
    for schema_id, commit in enumerate(({"id": [1], "op": [0]}, {"id": [2], "op": [0], "note": ["new"]})):
        table = pa.table(commit)
        head = stream.evolve(table.drop_columns("op").schema, system_time=TIME)
        records = numbered(table, head.next_offset, TIME)
        head = stream.append(head, [write_part(stream.history, stream.name, schema_id, records)], TIME)
    found = read_parts(spark, stream.history, head.parts).orderBy("offset").collect()
    assert [(row.offset, row.op, row.id, row.note) for row in found] == [(0, 0, 1, None), (1, 0, 2, "new")]
    with pytest.raises(WrongUsage, match="no parts yet"):
        read_parts(spark, stream.history, [])


def test_the_earlier_of_equal_scores_leads(spark: SparkSession, job: ModuleType) -> None:
    scores = [("2026-11-02", 2, "Late", 100), ("2026-11-01", 1, "Early", 100), ("2026-11-01", 1, "Less", 99)]
    matches = spark.createDataFrame(scores, "match_time STRING, match_id BIGINT, player_name STRING, score INT")
    assert [row.player_name for row in job.leaderboard(matches).collect()] == ["Early", "Late"]


def test_points_are_added_to_scores_and_words_are_refused(spark: SparkSession, job: ModuleType) -> None:
    scores = [("2026-11-02", 2, "Alice", 100), ("2026-11-01", 1, "Bob", 90)]
    matches = spark.createDataFrame(scores, "match_time STRING, match_id BIGINT, player_name STRING, score INT")
    points = spark.createDataFrame([("Bob", 15)], "player_name STRING, points INT")
    found = job.with_points(matches, points)
    assert found.schema["score"].dataType == matches.schema["score"].dataType
    assert {(row.player_name, row.score) for row in found.collect()} == {("Alice", 100), ("Bob", 105)}
    words = spark.createDataFrame([("Bob", "15 points")], "player_name STRING, points STRING")
    with pytest.raises(NumberFormatException, match="15 points"):
        job.with_points(matches, words).collect()
