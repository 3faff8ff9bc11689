"""Connections to the store: in UTC, under a role, with failures told in our own errors."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from lineage_core.errors import StoreUnavailable, WrongUsage

APPLICATION = "lineage"


class Connection(psycopg.Connection[TupleRow]):
    """A psycopg connection whose `with` block commits at its end, or rolls back.

    If the server goes away inside the block, the block ends with StoreUnavailable.
    """

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        try:
            super().__exit__(exc_type, exc_val, exc_tb)
        except psycopg.OperationalError as error:
            raise StoreUnavailable(_told(error)) from error
        if isinstance(exc_val, psycopg.OperationalError) or (isinstance(exc_val, psycopg.Error) and self.broken):
            raise StoreUnavailable(_told(exc_val)) from exc_val


def connect(
    dsn: str,
    *,
    role: str | None = None,
    application_name: str = APPLICATION,
    autocommit: bool = False,
) -> Connection:
    """Connect to the store, in UTC and acting as `role` if one is given.

    Raises StoreUnavailable if the server cannot be reached or refuses, WrongUsage if the DSN is none.
    """
    _refuse_malformed(dsn)
    try:
        connection = Connection.connect(dsn, autocommit=True, application_name=application_name)
        connection.execute("SELECT set_config('timezone', 'UTC', false)")
        if role is not None:
            connection.execute("SELECT set_config('role', %s, false)", [role])
        connection.autocommit = autocommit
    except psycopg.OperationalError as error:
        raise StoreUnavailable(f"The database cannot be reached: {_told(error)}") from error
    return connection


def run_script(connection: Connection, script: str) -> None:
    """Run a script of the project's own, of any number of statements; it takes no parameters."""
    connection.execute(script.encode())


def _refuse_malformed(dsn: str) -> None:
    """libpq's message about a malformed DSN repeats parts of it, the password perhaps, so it is not passed on."""
    try:
        parts: dict[str, Any] | None = conninfo_to_dict(dsn)
    except psycopg.ProgrammingError:
        parts = None
    if parts is None:
        raise WrongUsage("The DSN is not a libpq URI, such as postgresql://user@host:5432/database")


def _told(error: psycopg.Error) -> str:
    return str(error).strip() or type(error).__name__
