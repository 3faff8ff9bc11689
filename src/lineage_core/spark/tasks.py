"""Work as Spark tasks, one for each item, and Spark's own failures as the project's errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import PySparkException

from lineage_core.errors import ProcessDied, TryAgain

Item = TypeVar("Item")
Done = TypeVar("Done")

_DEATHS = ("Python worker exited unexpectedly", "ExecutorLostFailure")
"""What Spark says of a process that ended in the middle of its task."""


def run_each(
    context: SparkContext,
    items: Sequence[Item],
    work: Callable[[Iterable[Item]], Iterator[Done]],
    *,
    failed: str,
    what_stays: str,
) -> list[Done]:
    """What the work gives for each item, by the attempt that Spark accepted.

    Items go to the workers inside the closure, which neither logs nor pages of Spark show. Raises TryAgain, which says
    `failed` if a task fails as often as Spark allows, and tells `what_stays` if Spark itself goes away; ProcessDied if
    a task failed because its process died.
    """
    try:
        done: list[Done] = context.parallelize(items, len(items)).mapPartitions(work).collect()
    except (PySparkException, Py4JJavaError) as error:
        message = str(error).strip()
        if any(death in message for death in _DEATHS):
            raise ProcessDied(f"{failed}: its processes died, one after the other") from error
        raise TryAgain(f"{failed}: {message.splitlines()[-1]}") from error
    except (Py4JError, OSError, EOFError) as error:
        raise TryAgain(f"Spark went away, {what_stays}: {error}. Run again") from error
    return done


def run_each_by_itself(
    context: SparkContext,
    items: Sequence[Item],
    work: Callable[[Iterable[Item]], Iterator[Done]],
    *,
    failed: str,
    instead: Callable[[Item, TryAgain], Done],
    what_stays: str,
) -> list[Done]:
    """As `run_each`, where an item whose task fails stops no other: Spark ends all tasks with it, so each is done alone
    then. `instead` gives what stands for one that fails there, too.
    """
    try:
        return run_each(context, items, work, failed=failed, what_stays=what_stays)
    except TryAgain as error:
        if len(items) == 1:
            return [instead(items[0], error)]
    return [
        done
        for item in items
        for done in run_each_by_itself(context, [item], work, failed=failed, instead=instead, what_stays=what_stays)
    ]
