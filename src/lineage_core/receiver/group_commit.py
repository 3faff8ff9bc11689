"""Group commit: requests that wait at the same moment share one transaction.

One thread commits. While it does, others come; the next commit takes all that wait. So nobody waits for company, and
under load a commit serves many.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from lineage_core.errors import LineageError, StoreUnavailable, TryAgain
from lineage_core.postgres.connection import Connection
from lineage_core.receiver.arrivals import DocumentOutcome, ReceivedRequest
from lineage_core.receiver.store.commits import commit, open_for_commits

MOST_DOCUMENTS = 2_000
MOST_BYTES = 8 << 20
"""Of one commit, which exceeds them by one request at most."""

PATIENCE = 5.0
"""Seconds for which a request waits for a database that is away."""

_PAUSE = 0.2
"""Seconds between two attempts to reach it."""

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Waiting:
    arrival: ReceivedRequest
    answer: asyncio.Future[list[DocumentOutcome]]
    until: float
    """On the monotonic clock."""


@dataclass(eq=False)
class GroupCommit:
    """The commits of one process, into the database of one DSN."""

    dsn: str = field(repr=False)
    patience: float = PATIENCE
    _queue: deque[_Waiting] = field(default_factory=deque, init=False)
    _changed: threading.Condition = field(default_factory=threading.Condition, init=False)
    _is_ending: bool = field(default=False, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    _connection: Connection | None = field(default=None, init=False)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="lineage receiver commits", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Returns when all that waits has its answer."""
        with self._changed:
            self._is_ending = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    async def store(self, arrival: ReceivedRequest) -> list[DocumentOutcome]:
        """Returns when the documents are committed. Raises TryAgain if they could not be in time, NeedsOperator if the
        receiver may not write; nobody knows then whether they are there, and to send them again is safe.
        """
        waiting = _Waiting(arrival, asyncio.get_running_loop().create_future(), time.monotonic() + self.patience)
        with self._changed:
            if self._is_ending:
                raise TryAgain("The receiver ends")
            self._queue.append(waiting)
            self._changed.notify()
        return await waiting.answer

    def _run(self) -> None:
        while group := self._next_group():
            self._commit(group)
        self._hang_up()

    def _next_group(self) -> list[_Waiting]:
        """What waits, up to the size of a commit; none at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._is_ending)
            group, documents, size = list[_Waiting](), 0, 0
            while self._queue and documents < MOST_DOCUMENTS and size < MOST_BYTES:
                group.append(self._queue.popleft())
                documents += len(group[-1].arrival.documents)
                size += group[-1].arrival.size
            return group

    def _commit(self, group: Sequence[_Waiting]) -> None:
        """A failure that is nobody's known fault is looked for by halving: the others are stored."""
        try:
            outcomes = self._committed(group)
        except LineageError as error:
            _log.warning("Nothing could be stored for %d requests: %s", len(group), error)
            self._refuse(group, error)
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
            self._answer(group, outcomes)

    def _refuse(self, group: Sequence[_Waiting], error: LineageError) -> None:
        self._answer(group, [error] * len(group))

    def _answer(self, group: Sequence[_Waiting], answers: Sequence[list[DocumentOutcome] | LineageError]) -> None:
        """Wakes the loop once for all. Whoever asked may have gone, and the loop may have ended."""
        with suppress(RuntimeError):
            group[0].answer.get_loop().call_soon_threadsafe(_settle, group, answers)

    def _committed(self, group: Sequence[_Waiting]) -> list[list[DocumentOutcome]]:
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
            self._connection = open_for_commits(self.dsn)
        return self._connection

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _settle(group: Sequence[_Waiting], answers: Sequence[list[DocumentOutcome] | LineageError]) -> None:
    for waiting, answer in zip(group, answers, strict=True):
        if waiting.answer.done():
            continue
        if isinstance(answer, LineageError):
            waiting.answer.set_exception(answer)
        else:
            waiting.answer.set_result(answer)
