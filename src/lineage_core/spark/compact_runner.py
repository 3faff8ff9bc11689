"""Writes merged parts and checkpoints of streams as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyspark.sql import SparkSession

from lineage_core.spark.tasks import run_each_by_itself
from lineage_core.streams.compaction import Compacted, CompactionTask, compacted_or_failed
from lineage_core.streams.failures import failed_stream


class SparkCompactionRunner:
    """A task for each file. One that is run again writes the same file."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def write(self, tasks: Sequence[CompactionTask]) -> Iterator[Compacted]:
        yield from run_each_by_itself(
            self._context,
            tasks,
            _write_all,
            failed="A Spark task failed; what was compacted before stays",
            instead=lambda task, error: failed_stream(task.stream, error),
            what_stays="what was compacted before stays",
        )


def _write_all(tasks: Iterable[CompactionTask]) -> Iterator[Compacted]:
    for task in tasks:
        yield compacted_or_failed(task)
