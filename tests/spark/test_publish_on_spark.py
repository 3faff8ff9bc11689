"""Streams whose parts Spark writes: the same records, side by side."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lineage_core.errors import TryAgain
from lineage_core.postgres.store import Store
from lineage_core.spark.tasks import SparkRunner
from lineage_core.streams import reading
from lineage_core.streams.publication import publish
from lineage_core.tasks import DeferredRunner, TaskRunner, Work
from lineage_core.testing import TIME, dataset, run_event
from tests.support.changes import start_all
from tests.support.stores import take_in
from tests.support.stream_replay import differing_streams

pytestmark = [pytest.mark.postgres, pytest.mark.spark]


def _no_runner() -> TaskRunner:
    raise AssertionError("Spark is not started where there is nothing to publish")


def test_spark_publishes_what_the_tables_have(database: Store, spark: SparkSession, tmp_path: Path) -> None:
    start_all(database)
    for number in range(2):
        take_in(
            database,
            [
                run_event(
                    "COMPLETE",
                    run_id=f"0190a0a0-0000-7000-8000-{number:012}",
                    time=TIME.replace(minute=number),
                    outputs=[dataset("orders", fields=[("id", "INT"), (f"c{number}", "INT")])],
                )
            ],
        )
        assert publish(database, str(tmp_path), SparkRunner(spark.sparkContext)).records
        assert differing_streams(database, tmp_path) == {}
    assert publish(database, str(tmp_path), DeferredRunner(_no_runner)).streams == ()


def test_a_failure_of_a_task_is_reported(database: Store, spark: SparkSession, tmp_path: Path) -> None:
    start_all(database)
    take_in(database, [run_event()])
    tmp_path.joinpath("runs").write_text("in the way of a folder")
    with pytest.raises(TryAgain, match=r"1 stream was not published\. runs \(try again\): .* cannot be used now"):
        publish(database, str(tmp_path), SparkRunner(spark.sparkContext))
    assert reading.next_offset(database, "jobs") == 1, "all others were published"


def test_a_task_whose_process_dies_stops_no_other(spark: SparkSession) -> None:
    def do(item: str) -> str:
        if item == "deadly":
            os._exit(1)
        return item

    work = Work(do, failed="failed", what_stays="", instead=lambda _, error: type(error).__name__)
    done = list(SparkRunner(spark.sparkContext).results(work, ["before", "deadly", "behind"]))
    assert done == ["before", "ProcessDied", "behind"]
