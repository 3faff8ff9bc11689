"""The main job on a standalone Spark with two workers, in client mode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.spark_clusters import WORKERS, SparkCluster, spark_cluster
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.spark, pytest.mark.long]

JOB = "spark_jobs/normalize_lineage.py"
MARKER = "only-in-the-body-of-an-event"
LARGE = 50_000
EVENTS = 40


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkCluster]:
    with spark_cluster(tmp_path_factory.mktemp("spark")) as started:
        yield started


def test_tasks_run_on_both_workers_and_no_event_reaches_the_driver(cluster: SparkCluster, database: Store) -> None:
    small = _submitted(cluster, database, [_event(number, 10) for number in range(EVENTS)])
    large = _submitted(cluster, database, [_event(number, LARGE) for number in range(EVENTS)])
    assert {task["Task Info"]["Host"] for task in _tasks(large)} == set(WORKERS)
    assert abs(sum(_result_sizes(large)) - sum(_result_sizes(small))) < 200
    assert sum(_result_sizes(large)) < EVENTS * LARGE / 100
    assert [_moved(task["Task Metrics"]) for task in _tasks(large)] == [0, 0]
    assert [_kept(event) for event in large if event["Event"] == "SparkListenerStageCompleted"] == [0]
    assert MARKER not in json.dumps(large)
    assert database.dsn not in json.dumps(large)
    assert rows(database, "SELECT count(*) FROM run_facets WHERE facet::text LIKE %s", [f"%{MARKER}%"]) == [(EVENTS,)]


def test_of_two_attempts_that_were_both_committed_one_counts(cluster: SparkCluster, database: Store) -> None:
    events = [_event(number, 100) for number in range(EVENTS)]
    take_in(database, events)
    wanted = contents(database)
    empty(database)
    put(database, events)
    speculation = {
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.multiplier": "1.1",
        "spark.speculation.minTaskRuntime": "100ms",
    }
    printed, logged = cluster.submit("tests/support/straggling_job.py", conf=speculation, LINEAGE_DSN=database.dsn)
    outcome = json.loads(printed.splitlines()[-1])
    assert (outcome["events"], outcome["staged"]) == (EVENTS, [[3, 2]])
    assert any(task["Task Info"]["Speculative"] and not task["Task Info"]["Failed"] for task in _tasks(logged))
    assert differences(contents(database), wanted) == {}


def _event(number: int, size: int) -> dict[str, Any]:
    return run_event(
        "COMPLETE",
        run_id=f"run {number}",
        job=named_job(f"job {number % 3}"),
        time=TIME.replace(second=number),
        outputs=[dataset(fields=[("id", "INT")])],
        facets={"noted": facet(text=f"{MARKER} {'x' * size}")},
    )


def _submitted(cluster: SparkCluster, store: Store, events: list[Any]) -> list[dict[str, Any]]:
    empty(store)
    put(store, events)
    printed, logged = cluster.submit(JOB, "--json", LINEAGE_DSN=store.dsn)
    outcome = json.loads(printed.splitlines()[-1])
    assert (outcome["events"], outcome["slices"]) == (len(events), 1)
    return logged


def _tasks(logged: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in logged if event["Event"] == "SparkListenerTaskEnd"]


def _result_sizes(logged: list[dict[str, Any]]) -> list[int]:
    return [task["Task Metrics"]["Result Size"] for task in _tasks(logged)]


def _moved(metrics: dict[str, Any]) -> int:
    """Bytes that a task read from or wrote to anything of Spark's."""
    read, written = metrics["Shuffle Read Metrics"], metrics["Shuffle Write Metrics"]
    return sum(
        (
            read["Remote Bytes Read"],
            read["Local Bytes Read"],
            written["Shuffle Bytes Written"],
            metrics["Output Metrics"]["Bytes Written"],
            metrics["Memory Bytes Spilled"],
            metrics["Disk Bytes Spilled"],
        )
    )


def _kept(stage: dict[str, Any]) -> int:
    """Bytes of the stage's data sets that Spark keeps in memory or on disk."""
    return sum(info["Memory Size"] + info["Disk Size"] for info in stage["Stage Info"]["RDD Info"])
