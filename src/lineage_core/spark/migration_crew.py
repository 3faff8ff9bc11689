"""Runs the workers of a long migration as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyspark.sql import SparkSession

from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations.run import Worked, WorkerTask, work
from lineage_core.spark.tasks import run_each


class SparkCrew:
    """A task for each worker. One that fails is run again, and takes up what its predecessor left."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def work(self, tasks: Sequence[WorkerTask]) -> list[Worked]:
        """Raises TryAgain as `run_each` does, and NeedsOperator as a worker does."""
        ended = run_each(
            self._context,
            tasks,
            _work_all,
            failed="A worker failed; what it did stays done, and a run continues from there",
            what_stays="what was done stays done",
        )
        for refused in ended:
            if isinstance(refused, RefusedWork):
                raise NeedsOperator(refused.reason)
        return [worked for worked in ended if isinstance(worked, Worked)]


@dataclass(frozen=True)
class RefusedWork:
    """A worker that needs a person. It is no failure of its task, which Spark would try again."""

    reason: str


def _work_all(tasks: Iterable[WorkerTask]) -> Iterator[Worked | RefusedWork]:
    for task in tasks:
        try:
            yield work(task)
        except NeedsOperator as error:
            yield RefusedWork(str(error))
