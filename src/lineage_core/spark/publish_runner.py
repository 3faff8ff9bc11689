"""Writes the parts of streams as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyspark.sql import SparkSession

from lineage_core.spark.tasks import run_each_by_itself
from lineage_core.streams.failures import failed_stream
from lineage_core.streams.run import PublicationTask, WrittenOrFailed, written_or_failed


class SparkPublishRunner:
    """A task for each stream, side by side. One that is run again writes the same files, or files that nobody names."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def write(self, tasks: Sequence[PublicationTask]) -> Iterator[WrittenOrFailed]:
        yield from run_each_by_itself(
            self._context,
            tasks,
            _write_all,
            failed="A Spark task failed, nothing was published",
            instead=lambda task, error: failed_stream(task.stream, error),
            what_stays="nothing was published",
        )


def _write_all(tasks: Iterable[PublicationTask]) -> Iterator[WrittenOrFailed]:
    for task in tasks:
        yield written_or_failed(task)
