"""Work as tasks of Spark, one for each item, and Spark's own failures as the project's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import PySparkException

from lineage_core.errors import ProcessDied, TryAgain
from lineage_core.tasks import Done, Item, ItemRefusal, TaskRunner, Work, without_refusals

_DEATHS = ("Python worker exited unexpectedly", "ExecutorLostFailure")
"""What Spark says of a process that ended in the middle of its task."""


class SparkRunner(TaskRunner):
    """A task of Spark for each item. Spark may run one again, even two at a time: the attempt that it takes counts."""

    is_elsewhere = True

    def __init__(self, context: SparkContext) -> None:
        self._context = context
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix="lineage waits for Spark")

    @property
    def tasks(self) -> int:
        return max(self._context.defaultParallelism, 1)

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        attempts: list[Done | ItemRefusal] = _attempts(self._context, work, items)
        return without_refusals(attempts)

    def start(self, work: Work[Item, Done], items: Sequence[Item]) -> Callable[[], list[Done]]:
        return self._waiting.submit(lambda: list(self.results(work, items))).result


def _attempts(context: SparkContext, work: Work[Item, Done], items: Sequence[Item]) -> list[Done | ItemRefusal]:
    """Spark ends all tasks with one that fails. So if something may stand instead of that, each is done alone then."""
    try:
        return _run_each(context, work, items) if items else []
    except TryAgain as error:
        if work.instead is None:
            raise
        if len(items) == 1:
            return [work.instead(items[0], error)]
    return [attempt for item in items for attempt in _attempts(context, work, [item])]


def _run_each(context: SparkContext, work: Work[Item, Done], items: Sequence[Item]) -> list[Done | ItemRefusal]:
    """What was done for each item, by the attempt that Spark accepted.

    Items go to the workers inside the closure, which neither logs nor pages of Spark show. Raises TryAgain if a task
    fails as often as Spark allows, or Spark itself goes away; ProcessDied if a task failed because its process died.
    """
    try:
        done: list[Done | ItemRefusal] = (
            context.parallelize(items, len(items)).mapPartitions(partial(_attempt_all, work)).collect()
        )
    except (PySparkException, Py4JJavaError) as error:
        message = str(error).strip()
        if any(death in message for death in _DEATHS):
            raise ProcessDied(f"{work.failed}: its processes died, one after the other") from error
        raise TryAgain(f"{work.failed}: {message.splitlines()[-1]}") from error
    except (Py4JError, OSError, EOFError) as error:
        raise TryAgain(f"Spark went away, {work.what_stays}: {error}. Run again") from error
    return done


def _attempt_all(work: Work[Item, Done], items: Iterable[Item]) -> Iterator[Done | ItemRefusal]:
    return map(work.attempt, items)
