"""Stages the parts of a slice as Spark tasks."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from pyspark.sql import SparkSession

from lineage_core.normalization import Staging
from lineage_core.spark.tasks import run_each
from lineage_core.store.staging import StagedPart, StagingTask, stage

LARGE = 4 << 20
"""Bytes of text of an event whose part is staged in a process of its own: Python keeps much of the memory that it took
until a process ends, and Spark keeps its workers."""

_FORK = multiprocessing.get_context("fork")


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
        yield _staged_apart(task) if task.largest > LARGE else stage(task)


def _staged_apart(task: StagingTask) -> StagedPart:
    """In a process that ends with it. Raises what it raises, and EOFError if it is killed."""
    receiving, sending = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_stage_and_send, args=(task, sending))
    child.start()
    sending.close()
    with receiving:
        outcome = receiving.recv()
    child.join()
    if isinstance(outcome, Exception):
        raise outcome
    staged: StagedPart = outcome
    return staged


def _stage_and_send(task: StagingTask, sending: Connection) -> None:
    """What fails is for the worker to raise, whatever it is."""
    outcome: StagedPart | Exception
    try:
        outcome = stage(task)
    except Exception as error:
        outcome = error
    sending.send(outcome)
