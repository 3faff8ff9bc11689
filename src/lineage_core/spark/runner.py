"""Stages the parts of a slice as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

from lineage_core.errors import ProcessDied, SliceRefused
from lineage_core.normalize.run import Staging
from lineage_core.normalize.store.attempts import Attempt, accepted, attempt, attempt_apart
from lineage_core.normalize.store.staging import StagedPart, StagingTask
from lineage_core.spark.tasks import run_each


class SparkRunner:
    """A task for each part. Spark may run one again, even two at a time: only the attempt that it takes counts."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix="lineage stages")

    @property
    def tasks(self) -> int:
        return max(self._context.defaultParallelism, 1)

    def start(self, tasks: Sequence[StagingTask]) -> Staging:
        return self._waiting.submit(self.stage, tasks).result

    def stage(self, tasks: Sequence[StagingTask]) -> list[StagedPart]:
        """Stages every part, and waits for it.

        Raises TryAgain as `run_each` does; as `accepted` does, NeedsOperator, or SliceRefused if what fails, or kills
        the process that works on it, may be an event.
        """
        try:
            attempts = run_each(
                self._context,
                tasks,
                _attempt_all,
                failed="A Spark task failed, nothing of its slice was merged",
                what_stays="nothing of the slice was merged",
            )
        except ProcessDied as died:
            raise SliceRefused(f"It cannot be staged. {died}") from died
        return accepted(attempts)


def _attempt_all(tasks: Iterable[StagingTask]) -> Iterator[Attempt]:
    for task in tasks:
        yield attempt_apart(task) if task.apart else attempt(task)
