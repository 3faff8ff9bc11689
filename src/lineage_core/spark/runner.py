"""Stages the parts of a slice as Spark tasks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from lineage_core.errors import TryAgain
from lineage_core.normalization import Staging
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
        """Stages every part, and waits for it.

        Raises TryAgain if a task fails as often as Spark allows, or if Spark itself goes away."""
        # What a task is told goes to the workers inside the closure, which neither logs nor pages of Spark show.
        staging = self._context.parallelize(tasks, len(tasks)).mapPartitions(_stage_all)
        try:
            parts: list[StagedPart] = staging.collect()
        except (PySparkException, Py4JJavaError) as error:
            reason = str(error).strip().splitlines()[-1]
            raise TryAgain(f"A Spark task failed, nothing of its slice was merged: {reason}") from error
        except (Py4JError, OSError, EOFError) as error:
            raise TryAgain(f"Spark went away, nothing of the slice was merged: {error}. Run again") from error
        return parts


def _stage_all(tasks: Iterable[StagingTask]) -> Iterator[StagedPart]:
    for task in tasks:
        yield stage(task)
