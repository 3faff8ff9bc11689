"""Streams that Spark compacts: the same records, in files that tasks write side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lineage_core.errors import NeedsOperator
from lineage_core.postgres.store import Store
from lineage_core.spark.tasks import SparkRunner
from lineage_core.streams import reading, verification
from lineage_core.streams.compaction import compact
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), %s)"
SOURCE = """
INSERT INTO sources (uuid, type, created_at, updated_at, name, connection_url)
VALUES (gen_random_uuid(), 'POSTGRESQL', now(), now(), %s, '')
"""


def test_spark_compacts_as_one_process_does(database: Store, spark: SparkSession, tmp_path: Path) -> None:
    root, names = str(tmp_path), ("tags", "sources")
    for name in names:
        switches.start(database, name)
    for name in ("a", "b", "c"):
        with database.connect() as connection:
            connection.execute(TAG, [name])
            connection.execute(SOURCE, [name])
        publish(database, root)
    before = {name: list(reading.records(database, root, name)) for name in names}
    done = compact(database, root, SparkRunner(spark.sparkContext))
    assert {one.stream: (one.parts_before, one.parts_after, one.checkpoint) for one in done.streams} == {
        name: (3, 1, 3) for name in names
    }
    for name in names:
        assert list(reading.records(database, root, name)) == before[name]
        assert verification.verify(database, root, name, from_start=True).faults == []


def test_a_failure_of_a_task_is_reported(database: Store, spark: SparkSession, tmp_path: Path) -> None:
    switches.start(database, "tags")
    for name in ("a", "b"):
        with database.connect() as connection:
            connection.execute(TAG, [name])
        publish(database, str(tmp_path))
    next(tmp_path.rglob("*.parquet")).unlink()
    with pytest.raises(NeedsOperator, match=r"1 stream was not compacted\. tags .* is damaged: it is not there"):
        compact(database, str(tmp_path), SparkRunner(spark.sparkContext))
