"""The one place that connects to the store: with settings that no one else decides, and failures as our own errors.

No error has a part of the DSN but its address: libpq's own errors repeat more, so they are not chained to ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import TracebackType

import psycopg
from psycopg.rows import TupleRow
from psycopg.types.json import set_json_loads

from lineage_core.errors import NeedsOperator, StoreUnavailable
from lineage_core.openlineage.json_values import json_value
from lineage_core.postgres.addresses import described, malformed, reason, wrong_option
from lineage_core.postgres.session_settings import FOREVER, set_for_session
from lineage_core.postgres.sessions import backend_of, is_pooled

APPLICATION = "lineage"

_keeping_sessions = set[str]()
"""DSNs of poolers that were seen to keep a session for each connection."""


class Connection(psycopg.Connection[TupleRow]):
    """A psycopg connection whose `with` block commits at its end, or rolls back.

    If the server goes away inside the block, the block ends with StoreUnavailable.
    """

    backend: int | None = None
    """The process of the server whose session this is; None where it may be another in each transaction."""

    statement_timeout: str = FOREVER
    """How long its statements may take, where each transaction sets that anew."""

    described: str = "the database"
    """Where it leads and which setting says so, without a secret."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        try:
            super().__exit__(exc_type, exc_val, exc_tb)
        except psycopg.OperationalError as error:
            raise StoreUnavailable(_message(error)) from error
        if isinstance(exc_val, psycopg.Error) and self._is_outage(exc_val):
            raise StoreUnavailable(_message(exc_val)) from exc_val

    @contextmanager
    def outages_explained(self) -> Iterator[None]:
        """For a connection that outlives its transactions: StoreUnavailable as at the end of its `with` block."""
        try:
            yield
        except psycopg.Error as error:
            if self._is_outage(error):
                raise StoreUnavailable(_message(error)) from error
            raise

    def _is_outage(self, error: psycopg.Error) -> bool:
        return isinstance(error, psycopg.OperationalError) or self.broken


def connect(
    dsn: str,
    *,
    role: str | None = None,
    application_name: str = APPLICATION,
    autocommit: bool = False,
) -> Connection:
    """A session with all of `session_settings`, acting as `role` if one is given.

    Raises StoreUnavailable if the server cannot be reached or refuses, WrongUsage if the DSN is none, and NeedsOperator
    if a pooler gives each transaction another backend, so that what is set and locked for a session would be lost.
    """
    connection = _opened(dsn, application_name)
    try:
        _begin_session(connection, dsn)
        if role is not None:
            connection.execute("SELECT set_config('role', %s, false)", [role])
        connection.autocommit = autocommit
    except psycopg.OperationalError as error:
        connection.close()
        raise StoreUnavailable(_cannot_be_reached(dsn, str(error))) from error
    except BaseException:
        connection.close()
        raise
    return connection


def connect_for_transactions(
    dsn: str, *, application_name: str = APPLICATION, patience: int | None = None
) -> Connection:
    """A connection in autocommit, also through a pooler that gives each transaction another backend.

    Nothing is set, so each transaction is to begin with `set_for_transaction`. `patience`: seconds to wait for the
    server, and for each statement. Raises StoreUnavailable and WrongUsage, as `connect` does.
    """
    connection = _opened(dsn, application_name, patience)
    connection.prepare_threshold = None
    connection.statement_timeout = FOREVER if patience is None else f"{patience}s"
    connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
    connection.read_only = False
    connection.deferrable = False
    return connection


def keep_settings(connection: Connection, **others: str) -> bool:
    """Sets all, with `others` in place of ours, for the whole session, so that no transaction needs to; whether it did.

    Only where the server itself was reached: behind a pooler, transactions go on to set them.
    """
    direct = connection.info.backend_pid
    if not set_for_session(connection, only_on=direct, **others):
        return False
    connection.backend = direct
    connection.prepare_threshold = 0
    return True


def refuse_other_backend(connection: Connection, met: int) -> None:
    """Raises NeedsOperator if a transaction has met another backend than its connection had at the beginning."""
    if connection.backend is not None and met != connection.backend:
        raise NeedsOperator(f"The connection to {connection.described}, {_IS_POOLED}")


def run_script(connection: Connection, script: str) -> None:
    """Run a script of the project's own, of any number of statements; it takes no parameters."""
    connection.execute(script.encode())


_IS_POOLED = (
    "goes through a pooler that gives each transaction another backend, as PgBouncer does with pool_mode=transaction:"
    " settings and locks of the session would be lost. Name the port of Postgres itself, or a pool with"
    " pool_mode=session. Only `lineage ingest` and Airflow's transport do without a session"
)


def _opened(dsn: str, application_name: str, patience: int | None = None) -> Connection:
    address = described(dsn)
    limit = {} if patience is None else {"connect_timeout": patience}
    opened = _attempt(dsn, application_name=application_name, **limit)
    if isinstance(opened, str):
        option = wrong_option(opened)
        if option is not None:
            raise malformed(dsn, f"has a value of {option} that libpq does not take ({address})")
        raise StoreUnavailable(_cannot_be_reached(dsn, opened))
    opened.described = address
    set_json_loads(json_value, opened)
    return opened


def _attempt(dsn: str, **options: str | int) -> Connection | str:
    """The connection, or what speaks against it. Errors end here, so that no traceback shows them."""
    try:
        return Connection.connect(dsn, autocommit=True, **options)  # type: ignore[arg-type]
    except psycopg.Error as error:
        return _message(error)
    except OverflowError:
        return "bad value for connect_timeout:"


def _begin_session(connection: Connection, dsn: str) -> None:
    """A pooler does not tell libpq which backend it has. Nothing is set before it is known to keep its sessions."""
    direct = connection.info.backend_pid
    if set_for_session(connection, only_on=direct):
        connection.backend = direct
        return
    if str(dsn) not in _keeping_sessions:
        if is_pooled(connection, partial(_opened, dsn, APPLICATION)):
            raise NeedsOperator(f"The connection to {described(dsn)}, {_IS_POOLED}")
        _keeping_sessions.add(str(dsn))
    set_for_session(connection)
    connection.backend = backend_of(connection)


def _cannot_be_reached(dsn: str, message: str) -> str:
    return f"The database cannot be reached: {reason(message, dsn)} ({described(dsn)})"


def _message(error: psycopg.Error) -> str:
    return str(error).strip() or type(error).__name__
