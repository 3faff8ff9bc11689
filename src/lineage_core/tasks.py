"""Tasks: the same work is done for each of many items. A capability says what it is, and a runner does it somewhere.

Here are the runners of one machine. That of Spark is `spark/tasks.py`. None of them knows a capability.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, Protocol, TypeVar

from lineage_core.errors import NeedsOperator, ProcessDied, TryAgain

Item = TypeVar("Item")
Done = TypeVar("Done")

FEW_ROWS = 1_000
"""Rows, such as events or changes, that this process deals with sooner than Spark starts (`runner_for`)."""

FEW_BYTES = 64 << 20
"""The same for work whose size is known in bytes: those of files that are read and written by then."""

_FORK = multiprocessing.get_context("fork")
_ASKED_TO_END = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass(frozen=True)
class ItemRefusal:
    """An item for which a person is needed. It is no failure of its task, which Spark would try again."""

    error: NeedsOperator


@dataclass(frozen=True)
class Work(Generic[Item, Done]):
    """What is to be done for each item, and the messages where that fails.

    do: does it for one item, which holds all that it needs: both may go to another process. failed: the message
    of a task that fails. what_stays: the message if the runner goes away. instead: what stands in the place of an item
    that fails, which stops no other then. Without it a failure ends all.
    """

    do: Callable[[Item], Done]
    failed: str
    what_stays: str
    instead: Callable[[Item, Exception], Done] | None = None

    def attempt(self, item: Item) -> Done | ItemRefusal:
        """Does it for one item. Raises what `do` raises, if nothing stands instead and no person is needed."""
        try:
            return self.do(item)
        except Exception as error:
            if self.instead is not None:
                return self.instead(item, error)
            if isinstance(error, NeedsOperator):
                return ItemRefusal(error)
            raise


class TaskRunner(Protocol):
    """Where work is done."""

    @property
    def tasks(self) -> int:
        """Into how many items work is best divided, so that all are worked on at the same time."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether other processes do the work, each of which may die, or fork, without harm to this one."""

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        """What was done for each item, in their order, as it is done.

        Raises NeedsOperator if an item needs a person, behind the results of all others; TryAgain if a task or the
        runner fails; ProcessDied if the processes at work die.
        """

    def start(self, work: Work[Item, Done], items: Sequence[Item]) -> Callable[[], list[Done]]:
        """Begins, and gives what waits for the results; it raises again at each call. Nothing else is begun meanwhile.

        Who is not elsewhere does all of it now.
        """
        done = list(self.results(work, items))
        return lambda: done


class SerialRunner(TaskRunner):
    """One item after the other, in this process."""

    is_elsewhere = False

    def __init__(self, tasks: int = 1) -> None:
        """tasks: into how many items work is to be divided, as it would be elsewhere."""
        self._tasks = tasks

    @property
    def tasks(self) -> int:
        return self._tasks

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        return without_refusals(map(work.attempt, items))


HERE = SerialRunner()
"""What does work unless another runner is given."""


class ThreadRunner(TaskRunner):
    """A thread of this process for each item: for work whose time is spent by others, such as Postgres."""

    tasks = 1
    is_elsewhere = False

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        if len(items) <= 1:
            return HERE.results(work, items)
        with ThreadPoolExecutor(len(items)) as pool:
            return without_refusals(list(pool.map(work.attempt, items)))


class DeferredRunner(TaskRunner):
    """A runner that is made when there is something to do: Spark takes seconds to start, and often nothing waits."""

    def __init__(self, make: Callable[[], TaskRunner]) -> None:
        self._made = cache(make)

    @property
    def tasks(self) -> int:
        return self._made().tasks

    @property
    def is_elsewhere(self) -> bool:
        return self._made().is_elsewhere

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        return self._made().results(work, items) if items else iter(())

    def start(self, work: Work[Item, Done], items: Sequence[Item]) -> Callable[[], list[Done]]:
        return self._made().start(work, items)


def runner_for(size: int, runner: TaskRunner, few: int) -> TaskRunner:
    """Who does work of this size: this process up to `few`, the runner from there on.

    few: FEW_ROWS or FEW_BYTES, in whichever the size is; another number where somebody has measured it; 0 for a runner
    that costs nothing to start.
    """
    return HERE if size <= few else runner


def without_refusals(attempts: Iterable[Done | ItemRefusal]) -> Iterator[Done]:
    """What was done. Behind that the error of the first refusal is raised, if there was any."""
    first: ItemRefusal | None = None
    for attempt in attempts:
        if isinstance(attempt, ItemRefusal):
            first = first or attempt
        else:
            yield attempt
    if first is not None:
        raise first.error


def in_own_process(do: Callable[[Item], Done], item: Item) -> Done:
    """Does it in a process that ends with it, so that no other dies of what it does.

    Raises TryAgain if it does, or if somebody has asked the process to end; ProcessDied, which says how, if it died.
    """
    receiving, sending = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_do_and_send, args=(do, item, sending))
    child.start()
    sending.close()
    with receiving:
        try:
            result: Done | TryAgain = receiving.recv()
        except EOFError:
            result = _end_of(child)
    child.join()
    if isinstance(result, TryAgain):
        raise result
    return result


def _do_and_send(do: Callable[[Item], Done], item: Item, sending: Connection) -> None:
    result: Done | TryAgain
    try:
        result = do(item)
    except TryAgain as error:
        result = error
    sending.send(result)


def _end_of(child: BaseProcess) -> TryAgain:
    """Of a process that ended without a word. One that was asked to end says nothing of its item."""
    child.join()
    code = child.exitcode or 0
    if -code in _ASKED_TO_END:
        return TryAgain(f"A process was asked to end while it worked ({signal.Signals(-code).name}). Run again")
    how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    return ProcessDied(f"the process that did so {how}, as one that takes too much memory is")
