"""Runners do the same work of many items, wherever they are, and say the same of what fails."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from lineage_core.errors import NeedsOperator, ProcessDied, SchemaRefused, TryAgain
from lineage_core.tasks import (
    FEW_ROWS,
    HERE,
    DeferredRunner,
    Done,
    Item,
    SerialRunner,
    TaskRunner,
    ThreadRunner,
    Work,
    in_own_process,
    runner_for,
)

pytestmark = [pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")]

RUNNERS = [SerialRunner(), ThreadRunner(), DeferredRunner(lambda: HERE)]
runners = pytest.mark.parametrize("runner", RUNNERS, ids=lambda runner: type(runner).__name__)


def work(do: Callable[[int], str], instead: Callable[[int, Exception], str] | None = None) -> Work[int, str]:
    return Work(do, failed="A task failed", what_stays="nothing was done", instead=instead)


def failing_at(place: int, error: Exception) -> Callable[[int], str]:
    def do(item: int) -> str:
        if item == place:
            raise error
        return str(item)

    return do


def _name_of(_item: int, error: Exception) -> str:
    return type(error).__name__


@runners
@pytest.mark.parametrize("number", [0, 1, 3])
def test_each_item_is_done_in_its_place(runner: TaskRunner, number: int) -> None:
    assert list(runner.results(work(str), range(number))) == [str(item) for item in range(number)]
    assert runner.start(work(str), range(number))() == [str(item) for item in range(number)]


@runners
def test_who_needs_a_person_stops_no_other_and_is_reported_behind_them(runner: TaskRunner) -> None:
    results = runner.results(work(failing_at(0, SchemaRefused("a", "b", "c"))), range(3))
    assert [next(results), next(results)] == ["1", "2"]
    with pytest.raises(SchemaRefused, match="a: c"):
        next(results)


@runners
def test_another_failure_ends_all(runner: TaskRunner) -> None:
    with pytest.raises(TryAgain, match="the store is away"):
        list(runner.results(work(failing_at(1, TryAgain("the store is away"))), range(3)))


@runners
@pytest.mark.parametrize(
    "error", [NeedsOperator("a"), TryAgain("a"), KeyError("a")], ids=lambda one: type(one).__name__
)
def test_what_stands_instead_stops_no_other(runner: TaskRunner, error: Exception) -> None:
    done = list(runner.results(work(failing_at(1, error), _name_of), range(3)))
    assert done == ["0", type(error).__name__, "2"]


def test_one_after_the_other_is_done_when_it_is_asked_for() -> None:
    """So a publisher moves the head of one stream before it writes the next one."""
    done: list[int] = []

    def do(item: int) -> str:
        done.append(item)
        return str(item)

    results = SerialRunner().results(work(do), range(2))
    next(results)
    assert done == [0]


def test_threads_work_side_by_side_and_one_item_needs_none() -> None:
    met = threading.Barrier(2)
    assert len(list(ThreadRunner().results(work(lambda _: str(met.wait(10))), range(2)))) == 2
    (name,) = ThreadRunner().results(work(lambda _: threading.current_thread().name), [0])
    assert name == threading.current_thread().name


class _Counted(SerialRunner):
    made = 0

    def __init__(self) -> None:
        super().__init__(3)
        type(self).made += 1

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        return super().results(work, items)


def test_a_deferred_runner_is_made_once_and_only_for_work() -> None:
    runner = DeferredRunner(_Counted)
    assert list(runner.results(work(str), [])) == []
    assert _Counted.made == 0
    assert (runner.tasks, runner.is_elsewhere, list(runner.results(work(str), [1]))) == (3, False, ["1"])
    assert _Counted.made == 1


@pytest.mark.parametrize(("size", "is_here"), [(0, True), (FEW_ROWS, True), (FEW_ROWS + 1, False)])
def test_few_are_done_here(size: int, is_here: bool) -> None:
    runner = ThreadRunner()
    assert (runner_for(size, runner, FEW_ROWS) is HERE) == is_here
    assert runner_for(max(size, 1), runner, 0) is runner


def test_a_process_of_its_own_gives_what_was_done() -> None:
    assert in_own_process(lambda _: os.getpid(), 0) != os.getpid()
    with pytest.raises(TryAgain, match="away"):
        in_own_process(failing_at(0, TryAgain("away")), 0)


@pytest.mark.parametrize(
    ("end", "error", "how"),
    [
        (
            lambda _: os.kill(os.getpid(), signal.SIGKILL),
            ProcessDied,
            "was killed by SIGKILL, as one that takes too much",
        ),
        (lambda _: os._exit(3), ProcessDied, "ended with exit code 3"),
        (lambda _: os.kill(os.getpid(), signal.SIGTERM), TryAgain, r"asked to end while it worked \(SIGTERM\)"),
    ],
    ids=["killed", "ended", "asked to end"],
)
def test_how_a_process_of_its_own_ended_is_reported(
    end: Callable[[int], None], error: type[TryAgain], how: str
) -> None:
    with pytest.raises(error, match=how) as caught:
        in_own_process(end, 0)
    assert type(caught.value) is error


def test_work_can_be_sent() -> None:
    sent = pickle.loads(pickle.dumps(Work(str, failed="a", what_stays="b", instead=_name_of)))
    assert list(HERE.results(sent, [1])) == ["1"]
