"""The main job on a real Spark."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lineage_core.errors import TryAgain
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.attempts import start_staging
from lineage_core.normalize.store.staging import StagingTask
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.spark.tasks import SparkRunner
from lineage_core.testing import TIME, dataset, named_job, run_event
from tests.support.stores import contents, empty, put, rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

EVENTS = [
    run_event(
        event_type,
        run_id=f"run {number}",
        job=named_job(f"job {number % 3}"),
        time=TIME.replace(hour=number, minute=minute),
        inputs=[dataset("orders", fields=[("id", "BIGINT")])],
        outputs=[dataset(f"daily_{number % 3}", fields=[("id", "BIGINT"), ("total", "NUMERIC")])],
    )
    for number in range(8)
    for event_type, minute in (("START", 0), ("COMPLETE", 30))
]


def test_spark_gives_the_tables_that_one_process_gives(database: Store, spark: SparkSession) -> None:
    take_in(database, EVENTS)
    wanted = contents(database)
    empty(database)
    put(database, EVENTS)
    outcome = normalize(database, SparkRunner(spark.sparkContext), slice_bytes=6_000)
    assert outcome.events == len(EVENTS)
    assert outcome.slices > 1
    assert contents(database) == wanted


def test_each_slice_is_spread_over_the_tasks_of_spark(database: Store, spark: SparkSession) -> None:
    put(database, EVENTS)
    sizes: list[int] = []
    normalize(database, SparkRunner(spark.sparkContext), progress=lambda done, _: sizes.append(len(done.parts)))
    assert sizes == [spark.sparkContext.defaultParallelism]


@pytest.mark.parametrize("apart", [False, True], ids=["in the worker", "in a process of its own"])
def test_a_task_that_fails_leaves_the_tables_as_they_were(database: Store, spark: SparkSession, apart: bool) -> None:
    broken = StagingTask(
        Store("postgresql://nobody@127.0.0.1:1/none"), "staging", 1, 1, 0, "normalize/part_by_arrival", {}, apart
    )
    with pytest.raises(TryAgain, match="A Spark task failed, nothing of its slice was merged") as failed:
        start_staging(SparkRunner(spark.sparkContext), [broken])()
    assert "127.0.0.1" in str(failed.value.__cause__), "the reason is reported"
    assert rows(database, "SELECT count(*) FROM runs") == [(0,)]


def test_what_a_task_gets_does_not_show_its_database() -> None:
    task = StagingTask(
        Store("postgresql://lineage:secret@db/lineage"), "staging", 1, 1, 0, "normalize/part_by_arrival", {}
    )
    assert "secret" not in repr(task)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        [str(Path(sys.executable).with_name("lineage")), "normalize"],
        [str(Path(sys.executable).with_name("spark-submit")), str(PROJECT / "spark_jobs" / "normalize_lineage.py")],
    ],
    ids=["the command line", "the submitted job"],
)
def test_the_same_job_runs_under(command: list[str], database: Store) -> None:
    put(database, EVENTS)
    environment = {**inherited_environment(), "LINEAGE_DSN": database.dsn, "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run([*command, "--json"], env=environment, capture_output=True, text=True, check=True)
    outcome = json.loads(done.stdout.splitlines()[-1])
    assert (outcome["events"], outcome["quarantined"]) == (len(EVENTS), 0)
    assert rows(database, "SELECT count(*) FROM runs") == [(8,)]


@pytest.mark.slow
def test_a_span_of_event_time_is_normalized_without_moving_the_watermark(database: Store) -> None:
    put(database, EVENTS)
    lineage = str(Path(sys.executable).with_name("lineage"))
    span = ["--from", "2026-01-01T02:00:00Z", "--to", "2026-01-01T04:00:00Z"]
    environment = {**inherited_environment(), "LINEAGE_DSN": database.dsn}
    subprocess.run([lineage, "normalize", *span], env=environment, capture_output=True, text=True, check=True)
    assert rows(database, "SELECT external_id FROM runs ORDER BY 1") == [("run 2",), ("run 3",)]
    assert rows(database, "SELECT count(*) FROM watermarks") == [(0,)]
