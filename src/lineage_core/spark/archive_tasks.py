"""Writes and compares the parts of an event archive as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyspark.sql import SparkSession

from lineage_core.retention.archiving import ArchivingResult, ArchivingTask, work
from lineage_core.spark.tasks import run_each


class SparkArchiving:
    """A task for each part. Spark may run one again: each attempt writes a file of its own, and one of them counts."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def __call__(self, tasks: Sequence[ArchivingTask]) -> list[ArchivingResult]:
        """The results in the order of the tasks. Raises TryAgain as `run_each` does."""
        if not tasks:
            return []
        return run_each(
            self._context,
            tasks,
            _work_all,
            failed="A part of the event archive failed; nothing that is not archived was deleted",
            what_stays="nothing that is not archived was deleted",
        )


def _work_all(tasks: Iterable[ArchivingTask]) -> Iterator[ArchivingResult]:
    return map(work, tasks)
