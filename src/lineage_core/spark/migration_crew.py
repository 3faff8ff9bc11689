"""Runs the workers of a long migration as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from lineage_core.errors import TryAgain
from lineage_core.migration import Worked, WorkerTask, work


class SparkCrew:
    """A task for each worker. One that fails is run again, and takes up what its predecessor left."""

    def __init__(self, session: SparkSession) -> None:
        self._context = session.sparkContext

    def work(self, tasks: Sequence[WorkerTask]) -> list[Worked]:
        """Raises TryAgain if a task fails as often as Spark allows, or if Spark itself goes away."""
        working = self._context.parallelize(tasks, len(tasks)).mapPartitions(_work_all)
        try:
            worked: list[Worked] = working.collect()
        except (PySparkException, Py4JJavaError) as error:
            reason = str(error).strip().splitlines()[-1]
            raise TryAgain(
                f"A worker failed; what it did stays done, and a run goes on from there: {reason}"
            ) from error
        except (Py4JError, OSError, EOFError) as error:
            raise TryAgain(f"Spark went away; what was done stays done: {error}. Run again") from error
        return worked


def _work_all(tasks: Iterable[WorkerTask]) -> Iterator[Worked]:
    for task in tasks:
        yield work(task)
