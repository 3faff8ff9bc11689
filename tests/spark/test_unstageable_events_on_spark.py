"""What tests/postgres/test_unstageable_events.py shows, where the process that dies is Spark's."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import cloudpickle
from pyspark.sql import SparkSession

from lineage_core import quarantine
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.spark import tasks
from lineage_core.spark.tasks import SparkRunner
from lineage_core.tasks import Work
from tests.support import broken_rows
from tests.support.broken_rows import Breaking, broken, events, killing, raising
from tests.support.stores import contents, differences, empty, put, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.spark, pytest.mark.slow]

# Workers do not find the modules of tests.
cloudpickle.register_pickle_by_value(broken_rows)  # type: ignore[no-untyped-call]


def breaking_in_workers(breaking: Breaking) -> Callable[[Any, Any], Any]:
    """The work of a task, in which cursed events break what touches them. Spark keeps its workers."""
    whole = tasks._attempt_all

    def attempt_all(work: Work[Any, Any], items: Iterator[Any]) -> Iterator[Any]:
        with broken(breaking):
            yield from whole(work, items)

    return attempt_all


@pytest.mark.parametrize(
    ("breaking", "reason"),
    [
        (killing(signal.SIGKILL), "killed by SIGKILL, as one that takes too much memory is"),
        (raising(KeyError("unforeseen")), "KeyError: 'unforeseen'"),
    ],
    ids=["the worker dies", "an exception"],
)
def test_all_beside_the_event_become_rows_in_the_same_run(
    breaking: Breaking, reason: str, spark: SparkSession, database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    cursed = {3}
    take_in(database, [event for place, event in enumerate(events(8, cursed)) if place not in cursed])
    wanted = contents(database)
    empty(database)
    put(database, events(8, cursed))
    monkeypatch.setattr(tasks, "_attempt_all", breaking_in_workers(breaking))
    outcome = normalize(database, SparkRunner(spark.sparkContext))
    assert (outcome.events, outcome.quarantined) == (7, 1)
    assert differences(contents(database), wanted) == {}
    (entry,) = quarantine.entries(database)
    assert reason in entry.reason
