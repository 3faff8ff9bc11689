"""Group commit: requests that wait at the same moment share one transaction.

One thread commits. While it does, others come; the next commit takes all that wait. So no one waits for company, and
under load a commit serves many.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from lineage_core.errors import LineageError, StoreUnavailable, TryAgain
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.receiver.observations import Observations
from lineage_core.receiver.spooling import AllowedSpool
from lineage_core.receiver.store import DocumentOutcome, ReceivedRequest, commit, open_for_commits, report

MOST_DOCUMENTS = 2_000
MOST_BYTES = 8 << 20
"""Of one commit, which exceeds them by one request at most."""

PATIENCE = 5.0
"""Seconds for which a request waits for a database that is away."""

PATIENCE_WITH_SPOOL = 1.0
"""Likewise, where its events can wait on disk."""

REPORT_SECONDS = 60.0
"""Between two reports to the store."""

DRAIN_SECONDS = 1.0
"""How long requests wait for what the spool has, at a time."""

_PAUSE = 0.2
"""Seconds between two attempts to reach it."""

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _WaitingRequest:
    arrival: ReceivedRequest
    answer: asyncio.Future[list[DocumentOutcome]]
    until: float
    """On the monotonic clock."""


@dataclass(eq=False)
class GroupCommit:
    """The commits of one process, into one store."""

    destination: Store
    spool: AllowedSpool | None = None
    observations: Observations = field(default_factory=Observations)
    _queue: deque[_WaitingRequest] = field(default_factory=deque, init=False)
    _changed: threading.Condition = field(default_factory=threading.Condition, init=False)
    _is_ending: bool = field(default=False, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _connection: Connection | None = field(default=None, init=False)
    _report_at: float = field(default=0.0, init=False)
    """On the monotonic clock."""

    @property
    def patience(self) -> float:
        """Seconds."""
        return PATIENCE if self.spool is None else PATIENCE_WITH_SPOOL

    def start(self) -> None:
        """Whoever has not called it has it called by the first request. Ends with the process at the latest."""
        with self._changed:
            if self._thread is None:
                atexit.register(self.end)
                self._thread = threading.Thread(target=self._run, name="lineage receiver commits", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Returns when all that waits has its answer, and the store knows that this receiver has ended."""
        atexit.unregister(self.end)
        with self._changed:
            self._is_ending = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    async def store(self, arrival: ReceivedRequest) -> list[DocumentOutcome]:
        """Returns when the documents are committed. Raises TryAgain if they could not be in time, NeedsOperator if the
        receiver may not write; no one knows then whether they are there, and to send them again is safe.
        """
        waiting = _WaitingRequest(arrival, asyncio.get_running_loop().create_future(), time.monotonic() + self.patience)
        with self._changed:
            if self._is_ending:
                raise TryAgain("The receiver ends")
            self._queue.append(waiting)
            self._changed.notify()
        if self._thread is None:
            self.start()
        return await waiting.answer

    def _run(self) -> None:
        while (group := self._next_group()) is not None:
            if group:
                self._commit(group)
            if time.monotonic() >= self._report_at:
                self._look_after_the_rest()
        self._report(is_ending=True)
        self._hang_up()

    def _next_group(self) -> list[_WaitingRequest] | None:
        """What waits, up to the size of a commit; nothing when something else is due, None at the end."""
        with self._changed:
            due = max(0.0, self._report_at - time.monotonic())
            self._changed.wait_for(lambda: self._queue or self._is_ending, due)
            if self._is_ending and not self._queue:
                return None
            group, documents, size = list[_WaitingRequest](), 0, 0
            while self._queue and documents < MOST_DOCUMENTS and size < MOST_BYTES:
                group.append(self._queue.popleft())
                documents += len(group[-1].arrival.documents)
                size += group[-1].arrival.size
            return group

    def _look_after_the_rest(self) -> None:
        """Stores what the spool has, soon again while that has more, and reports.

        Whatever fails here must not end the thread: no one would be answered any more.
        """
        may_have_more = self._drain()
        self._report(is_ending=False)
        self._report_at = time.monotonic() + (DRAIN_SECONDS if may_have_more else REPORT_SECONDS)

    def _report(self, *, is_ending: bool) -> None:
        """What could not be reported is reported the next time."""
        figures = self.observations.take()
        try:
            report(self._connected(), self.observations, figures, is_ending=is_ending)
        except Exception as error:
            self._hang_up()
            self.observations.add(figures)
            _log.warning("The receiver cannot report to the store: %s", error, exc_info=_if_unforeseen(error))

    def _drain(self) -> bool:
        """Whether the spool may have more for now: a store that is away may be back soon. What no one else but a person
        can mend is tried again at the next report."""
        if self.spool is None:
            return False
        try:
            return self.spool.drain(self._connected(), DRAIN_SECONDS)
        except Exception as error:
            self._hang_up()
            _log.warning("Events wait in the spool: %s", error, exc_info=_if_unforeseen(error))
            return isinstance(error, StoreUnavailable)

    def _commit(self, group: Sequence[_WaitingRequest]) -> None:
        """A failure of unknown fault is looked for by halving: the others are stored."""
        try:
            outcomes = self._committed(group)
        except LineageError as error:
            self._keep_or_refuse(group, error)
        except Exception as error:
            self._hang_up()
            if len(group) > 1:
                middle = len(group) // 2
                self._commit(group[:middle])
                self._commit(group[middle:])
            else:
                _log.exception("A request cannot be stored.")
                self._refuse(group, TryAgain(f"It cannot be stored: {type(error).__name__}"))
        else:
            if self.spool is not None:
                self.spool.remember([waiting.arrival for waiting in group], outcomes)
            self._answer(group, outcomes)

    def _keep_or_refuse(self, group: Sequence[_WaitingRequest], error: LineageError) -> None:
        """In the spool, where there is one and the store is away. What is there is stored before the next report."""
        kept: list[list[DocumentOutcome] | None] = [None] * len(group)
        if self.spool is not None and isinstance(error, StoreUnavailable):
            kept = [self.spool.keep(waiting.arrival) for waiting in group]
            self._report_at = 0.0
        refused = sum(outcomes is None for outcomes in kept)
        _log.warning(
            "The store takes nothing: %d requests are refused, %d kept. %s", refused, len(group) - refused, error
        )
        self._answer(group, [outcomes or error for outcomes in kept])

    def _refuse(self, group: Sequence[_WaitingRequest], error: LineageError) -> None:
        self._answer(group, [error] * len(group))

    def _answer(
        self, group: Sequence[_WaitingRequest], answers: Sequence[list[DocumentOutcome] | LineageError]
    ) -> None:
        """Wakes the loop once for all. Whoever asked may have gone, and the loop may have ended."""
        with suppress(RuntimeError):
            group[0].answer.get_loop().call_soon_threadsafe(_settle, group, answers)

    def _committed(self, group: Sequence[_WaitingRequest]) -> list[list[DocumentOutcome]]:
        """Tries again while the database is away, until the first of the group has waited long enough."""
        until = min(waiting.until for waiting in group)
        while True:
            try:
                return commit(self._connected(), [waiting.arrival for waiting in group])
            except StoreUnavailable:
                self._hang_up()
                if time.monotonic() + _PAUSE > until:
                    raise
                time.sleep(_PAUSE)

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = open_for_commits(self.destination)
        return self._connection

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _if_unforeseen(error: Exception) -> Exception | None:
    """To log where it was raised: our own errors say it in their words."""
    return None if isinstance(error, LineageError) else error


def _settle(group: Sequence[_WaitingRequest], answers: Sequence[list[DocumentOutcome] | LineageError]) -> None:
    for waiting, answer in zip(group, answers, strict=True):
        if waiting.answer.done():
            continue
        if isinstance(answer, LineageError):
            waiting.answer.set_exception(answer)
        else:
            waiting.answer.set_result(answer)
