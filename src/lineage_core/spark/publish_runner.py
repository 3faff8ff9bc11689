"""Writes the parts of streams as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pyspark.sql import SparkSession

from lineage_core.spark.tasks import run_each
from lineage_core.streams.run import PublicationTask, write_records
from lineage_core.streams.store.heads import WrittenRecords


class SparkPublishRunner:
    """A task for each stream, side by side. One that is run again writes the same files, or files that nobody names."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def write(self, tasks: Sequence[PublicationTask]) -> Iterator[WrittenRecords]:
        yield from run_each(
            self._context,
            tasks,
            _write_all,
            failed="A Spark task failed, nothing was published",
            what_stays="nothing was published",
        )


def _write_all(tasks: Iterable[PublicationTask]) -> Iterator[WrittenRecords]:
    for task in tasks:
        yield write_records(task)
