"""Runs the workers of a long migration as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyspark.sql import SparkSession

from lineage_core.migration import Worked, WorkerTask, work
from lineage_core.spark.tasks import run_each


class SparkCrew:
    """A task for each worker. One that fails is run again, and takes up what its predecessor left."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def work(self, tasks: Sequence[WorkerTask]) -> list[Worked]:
        """Raises TryAgain as `run_each` does."""
        return run_each(
            self._context,
            tasks,
            _work_all,
            failed="A worker failed; what it did stays done, and a run goes on from there",
            what_stays="what was done stays done",
        )


def _work_all(tasks: Iterable[WorkerTask]) -> Iterator[Worked]:
    for task in tasks:
        yield work(task)
