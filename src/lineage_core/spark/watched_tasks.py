"""How many tasks of a Spark have ended, while it works for who waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark import SparkContext

LOOK_SECONDS = 0.5


@contextmanager
def watched_tasks(context: SparkContext, progress: Callable[[int, int], object]) -> Iterator[None]:
    """Calls `progress` now and then while the block works: how many tasks have ended, and of how many that are known.
    A query has stages, of which Spark plans the later ones as it goes."""
    over = threading.Event()
    known = dict[int, tuple[int, int]]()

    def watch() -> None:
        while True:
            _look(context, known)
            progress(sum(done for done, _ in known.values()), sum(tasks for _, tasks in known.values()))
            if over.wait(LOOK_SECONDS):
                return

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()


def _look(context: SparkContext, known: dict[int, tuple[int, int]]) -> None:
    """Of each stage, the tasks that have ended, and all. A stage that is no longer at work has ended."""
    tracker = context.statusTracker()
    active = {*tracker.getActiveStageIds()}
    for stage, (_, tasks) in known.items():
        if stage not in active:
            known[stage] = (tasks, tasks)
    for stage in active:
        found = tracker.getStageInfo(stage)
        if found is not None:
            known[stage] = (found.numCompletedTasks, found.numTasks)
