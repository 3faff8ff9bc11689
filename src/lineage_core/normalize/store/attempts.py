"""Attempts at a part of a slice. Where its events themselves are why it fails, that is what the attempt gives.

It is no failure of the task then, which Spark would try again and again: the slice is staged by halves instead, until
the event is found.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import psycopg

from lineage_core.errors import NeedsOperator, SliceRefused, TryAgain
from lineage_core.normalize.store.staging import StagedPart, StagingTask, stage
from lineage_core.postgres.failures import OF_THE_DATABASE, lies_in_events, sqlstate_class
from lineage_core.tracebacks import traceback_text

Attempt = StagedPart | NeedsOperator
"""What was staged, or why it cannot be: SliceRefused where the events may be at fault."""

_FORK = multiprocessing.get_context("fork")
_ASKED_TO_END = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


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
    receiving, sending = _FORK.Pipe(duplex=False)
    child = _FORK.Process(target=_attempt_and_send, args=(task, sending))
    child.start()
    sending.close()
    with receiving:
        try:
            outcome: Attempt | TryAgain = receiving.recv()
        except EOFError:
            outcome = _died(child)
    child.join()
    if isinstance(outcome, TryAgain):
        raise outcome
    return outcome


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


def _attempt_and_send(task: StagingTask, sending: Connection) -> None:
    outcome: Attempt | TryAgain
    try:
        outcome = attempt(task)
    except TryAgain as error:
        outcome = error
    sending.send(outcome)


def _died(child: BaseProcess) -> SliceRefused | TryAgain:
    """Of a process that ended without a word. One that was asked to end says nothing of its events."""
    child.join()
    code = child.exitcode or 0
    if -code in _ASKED_TO_END:
        return TryAgain(f"A process was asked to end while it staged ({signal.Signals(-code).name}). Run again")
    how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    return SliceRefused(f"It cannot be staged: the process that did so {how}, as one that takes too much memory is")
