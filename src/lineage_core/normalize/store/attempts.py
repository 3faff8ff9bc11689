"""Attempts at a part of a slice. Where its events themselves are why it fails, that is what the attempt gives.

It is no failure of the task then, which Spark would try again and again: the slice is staged by halves instead, until
the event is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import psycopg

from lineage_core.errors import NeedsOperator, ProcessDied, SliceRefused, TryAgain, traceback_text
from lineage_core.normalize.store.staging import StagedPart, StagingTask, stage
from lineage_core.postgres.failures import OF_THE_DATABASE, lies_in_events, sqlstate_class
from lineage_core.tasks import TaskRunner, Work, in_own_process

Attempt = StagedPart | NeedsOperator
"""What was staged, or why it cannot be: SliceRefused where the events may be at fault."""

Staging = Callable[[], list[StagedPart]]
"""Waits until all is staged; of several attempts at one part, it gives back the one that counts.

Raises TryAgain as the runner does; NeedsOperator as `accepted` does, of which SliceRefused if what fails, or kills the
process that works on it, may be an event. It raises again at each call.
"""


def start_staging(runner: TaskRunner, tasks: Sequence[StagingTask]) -> Staging:
    """Begins to stage every part of a slice."""
    attempts = runner.start(_APART_IF_ASKED if runner.is_elsewhere else _HERE, tasks)

    def staged() -> list[StagedPart]:
        try:
            return accepted(attempts())
        except ProcessDied as died:
            raise SliceRefused(f"It cannot be staged. {died}") from died

    return staged


def attempt(task: StagingTask) -> Attempt:
    """Stages a part in this process. Raises TryAgain where the events have no part in what fails."""
    try:
        return stage(task)
    except Exception as error:
        return _judged(error)


def attempt_apart(task: StagingTask) -> Attempt:
    """Stages a part in a process that ends with it. That it is killed, as one that takes too much memory, may be for
    its events. Raises TryAgain as `attempt` does.
    """
    try:
        return in_own_process(attempt, task)
    except ProcessDied as died:
        return SliceRefused(f"It cannot be staged: {died}")


def _attempt_apart_if_asked(task: StagingTask) -> Attempt:
    return attempt_apart(task) if task.apart else attempt(task)


_HERE = Work(
    attempt,
    failed="A Spark task failed, nothing of its slice was merged",
    what_stays="nothing of the slice was merged",
)
_APART_IF_ASKED = replace(_HERE, do=_attempt_apart_if_asked)


def accepted(attempts: Sequence[Attempt]) -> list[StagedPart]:
    """The parts of a slice. Raises NeedsOperator if one was not staged: SliceRefused if no other reason was met."""
    for failed in sorted(_failed(attempts), key=lambda failed: isinstance(failed, SliceRefused)):
        raise failed
    return [part for part in attempts if isinstance(part, StagedPart)]


def _failed(attempts: Sequence[Attempt]) -> Iterator[NeedsOperator]:
    return (failed for failed in attempts if isinstance(failed, NeedsOperator))


def _judged(error: Exception) -> NeedsOperator:
    if lies_in_events(error):
        return SliceRefused(f"It cannot be staged: {traceback_text(error.__cause__ or error)}")
    if isinstance(error, psycopg.Error) and sqlstate_class(error) in OF_THE_DATABASE:
        refused = NeedsOperator(
            f"Nothing can be staged: {error.diag.message_primary or error}. That stays so until this is repaired:"
            " `lineage db check` says whether the database is what this release expects"
        )
        refused.__cause__ = error
        return refused
    if isinstance(error, NeedsOperator):
        return error
    if isinstance(error, TryAgain):
        raise error
    raise TryAgain(f"A part could not be staged: {type(error).__name__}: {error}") from error
