"""Stages the parts of a slice as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from pyspark.sql import SparkSession

from lineage_core.normalization import Staging
from lineage_core.spark.tasks import run_each
from lineage_core.store.staging import StagedPart, StagingTask, stage


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
        """Stages every part, and waits for it. Raises TryAgain as `run_each` does."""
        return run_each(
            self._context,
            tasks,
            _stage_all,
            failed="A Spark task failed, nothing of its slice was merged",
            what_stays="nothing of the slice was merged",
        )


def _stage_all(tasks: Iterable[StagingTask]) -> Iterator[StagedPart]:
    for task in tasks:
        yield stage(task)
