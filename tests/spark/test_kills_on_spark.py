"""Law 1 on a real Spark: its processes are killed in the middle of their work, and tasks run more than once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.staging import StagingTask, stage
from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.spark import tasks
from lineage_core.spark.tasks import SparkRunner
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, named_job, run_event
from tests.support.spark_processes import PATIENCE_SECONDS, java_of, python_workers, wait_for
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

LINEAGE = str(Path(sys.executable).with_name("lineage"))
EVENTS = [
    run_event(
        kind,
        run_id=f"run {number}",
        job=named_job(f"job {number % 2}"),
        time=TIME.replace(minute=number, second=second),
        outputs=[dataset(fields=[("id", "INT"), (f"column {number % 3}", "TEXT")])],
    )
    for number in range(6)
    for second, kind in enumerate(("START", "COMPLETE"))
] + [run_event(run_id="bad", facets={"f" * 300: {}})]


@pytest.fixture
def wanted(database: Store) -> dict[str, list[str]]:
    """The tables of an undisturbed run; the raw events wait in the database."""
    take_in(database, EVENTS)
    undisturbed = contents(database)
    empty(database)
    put(database, EVENTS)
    return undisturbed


@pytest.mark.long
@pytest.mark.parametrize("victim", ["driver", "jvm"])
def test_a_run_whose_process_is_killed_in_its_tasks_is_made_good_by_the_next(
    victim: str, database: Store, wanted: dict[str, list[str]]
) -> None:
    environment = inherited_environment() | {"LINEAGE_DSN": database.dsn}
    command = [LINEAGE, "normalize", "--master", "local[2,4]"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as driver:
        started = psutil.Process(driver.pid)
        with _staging_held_up(database) as tasks_wait:
            tasks_wait()
            family = started.children(recursive=True)
            (started if victim == "driver" else java_of(family)).kill()
            errors = driver.communicate(timeout=PATIENCE_SECONDS)[1]
        assert driver.returncode == (-9 if victim == "driver" else 1), errors
    wait_for(lambda: not any(process.is_running() for process in family), "the other processes of the run to end")
    if victim == "jvm":
        assert "lineage: Spark went away" in errors, errors
    normalize(database, SerialRunner())
    assert differences(contents(database), wanted) == {}
    assert rows(database, "SELECT count(*) FROM quarantine") == [(1,)]


def test_a_task_whose_python_is_killed_is_tried_again(
    spark: SparkSession, database: Store, wanted: dict[str, list[str]]
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with _staging_held_up(database) as tasks_wait:
            outcome = pool.submit(normalize, database, SparkRunner(spark.sparkContext))
            tasks_wait()
            for worker in python_workers():
                worker.kill()
        assert outcome.result(timeout=PATIENCE_SECONDS).events == len(EVENTS) - 1
    assert differences(contents(database), wanted) == {}


def test_a_task_that_fails_after_it_has_staged_counts_once(
    spark: SparkSession, database: Store, wanted: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_attempt_all", _failing_after_staging())
    staged: list[object] = []

    def note(_slice: Slice, _outcome: NormalizationOutcome) -> None:
        staged.extend(rows(database, "SELECT count(*), count(DISTINCT partition) FROM staged_parts"))

    assert normalize(database, SparkRunner(spark.sparkContext), progress=note).events == len(EVENTS) - 1
    assert staged == [(4, 2)]
    assert differences(contents(database), wanted) == {}


def _failing_after_staging() -> Callable[[Any, Any], Any]:
    """Tasks whose first attempts are lost when all of their work is committed."""

    def attempt_all(_work: object, tasks: Iterator[StagingTask]) -> Iterator[Any]:
        from pyspark import TaskContext

        for task in tasks:
            part = stage(task)
            context = TaskContext.get()
            if context is not None and context.attemptNumber() == 0:
                raise RuntimeError("lost after it was staged")
            yield part

    return attempt_all


@contextmanager
def _staging_held_up(store: Store) -> Iterator[Callable[[], None]]:
    """Tasks of any run stand still in the middle of what they stage; what is yielded waits until one does."""
    with store.connect() as connection:
        connection.execute("LOCK TABLE staging.runs IN SHARE MODE")
        yield lambda: wait_for(lambda: _waits_for_a_lock(store), "a task to stage")


def _waits_for_a_lock(store: Store) -> bool:
    return bool(rows(store, "SELECT FROM pg_locks WHERE relation = 'staging.runs'::regclass AND NOT granted"))
