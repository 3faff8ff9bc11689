"""The store as those read it who wait for an answer: no session can write, and no statement takes long.

Sessions are kept for the next question. To open one takes 10 ms and more, and a new one maps each page of the server's
memory that it touches once more. psycopg_pool keeps sessions, too; but it connects in the background, so that of a
server that is away it says only that no connection came in time.
"""

from __future__ import annotations

import time
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psycopg

from lineage_core.errors import StoreUnavailable, TryAgain
from lineage_core.postgres.connection import APPLICATION, Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_value

SECONDS = 10
"""For which a statement may run."""

KEPT = 4
"""Idle sessions."""

IDLE_SECONDS, LIFE_SECONDS = 60.0, 600.0
"""How long a session is kept idle, and how long it is used again: its memory grows with what it has read."""


@dataclass(frozen=True)
class _IdleSession:
    """opened_at, idle_since: by the monotonic clock."""

    connection: Connection
    opened_at: float
    idle_since: float

    def is_young(self) -> bool:
        """Whether it may be used again."""
        now = time.monotonic()
        return now - self.idle_since <= IDLE_SECONDS and now - self.opened_at <= LIFE_SECONDS

    def is_good(self) -> bool:
        """Whether it may be used again, and the server still has it."""
        if not self.is_young():
            return False
        try:
            self.connection.execute("")
            self.connection.rollback()
        except psycopg.Error:
            return False
        return True


@dataclass(frozen=True)
class ReaderStore(Store):
    """Raises what Store raises, and TryAgain where a statement was cut short.

    application: what Postgres shows of its sessions.
    """

    application: str = APPLICATION
    _idle: deque[_IdleSession] = field(default_factory=deque, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        weakref.finalize(self, _close, self._idle)

    @contextmanager
    def session(
        self, role: str, *, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Iterator[Connection]:
        """A session, as of a Store, that only reads."""
        name = self.application if application_name == APPLICATION else application_name
        try:
            with super().session(role, application_name=name, autocommit=autocommit) as connection:
                yield connection
        except StoreUnavailable as error:
            if isinstance(error.__cause__, psycopg.errors.QueryCanceled):
                raise TryAgain(f"This took longer than {SECONDS} seconds. Ask for less at once") from error
            raise

    def connect(
        self, *, role: str | None = None, application_name: str = APPLICATION, autocommit: bool = False
    ) -> Connection:
        """Likewise."""
        connection = super().connect(role=role, application_name=application_name, autocommit=True)
        connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{SECONDS}s"])
        connection.execute("SELECT set_config('default_transaction_read_only', 'on', false)")
        # A plan that is kept may be a poor one for other parameters, and fails once an upgrade has changed a view.
        connection.prepare_threshold = None
        connection.autocommit = autocommit
        return connection

    @contextmanager
    def _block(self, application_name: str, autocommit: bool) -> Iterator[Connection]:
        """A session that is kept if the block ends well."""
        if autocommit or application_name != self.application:
            with super()._block(application_name, autocommit) as connection:
                yield connection
            return
        connection, opened_at = self._taken()
        try:
            yield connection
            connection.commit()
        except BaseException:
            with connection:  # which closes it, and names an outage
                raise
        self._keep(connection, opened_at)

    def _taken(self) -> tuple[Connection, float]:
        while True:
            try:
                idle = self._idle.pop()
            except IndexError:
                return self.connect(application_name=self.application), time.monotonic()
            if idle.is_good():
                return idle.connection, idle.opened_at
            idle.connection.close()

    def _keep(self, connection: Connection, opened_at: float) -> None:
        if _reset(connection):
            self._idle.append(_IdleSession(connection, opened_at, time.monotonic()))
        else:
            connection.close()
        # The first have been idle for the longest. Another thread may have taken the last one meanwhile.
        with suppress(IndexError):
            while len(self._idle) > KEPT or not self._idle[0].is_young():
                self._idle.popleft().connection.close()


def _close(idle: deque[_IdleSession]) -> None:
    while idle:
        idle.pop().connection.close()


def _reset(connection: Connection) -> bool:
    """Sets back what the last question has set; whether nothing of it is left then."""
    connection.isolation_level = connection.read_only = connection.deferrable = None
    try:
        has_temporary = one_value(connection, bool, "postgres/has_temporary")
        connection.rollback()
    except psycopg.Error:
        return False
    return not has_temporary
