"""Queries that hold a long migration: stored by name by the owner of the store, and run so that they can only read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import psycopg

from lineage_core import statements
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.long_migrations.decisions.settings import is_name
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.group_roles import role
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, execute, value_or_none

LONGEST_SECONDS = 1
"""What a query may take."""


@dataclass(frozen=True)
class HoldQuery:
    """A stored query, who stored it, and when."""

    name: str
    query: str
    stored_by: str
    stored_at: datetime


class TooSlow(Exception):
    """A query took longer than it may."""


def add(store: Store, name: str, query: str) -> float | None:
    """Stores a query, in place of one of that name; what it says now.

    Raises WrongUsage if it is not one SELECT of one value, or needs what the role that reads may not see.
    """
    if not is_name(name):
        raise WrongUsage(
            f"{name!r} cannot be the name of a query: it has lower-case letters, digits, _ and -, the first a letter"
        )
    bare = query.strip().removesuffix(";")
    result = _checked(store, bare)
    with store.session("that owns the database") as connection:
        execute(connection, "long_migrations/add_hold_query", {"name": name, "query": bare})
    return result


def stored_queries(store: Store) -> list[HoldQuery]:
    """All of them, by name."""
    with store.session("lineage_reader") as connection:
        return every_row(connection, HoldQuery, "long_migrations/hold_queries")


def remove(store: Store, name: str) -> None:
    """Raises WrongUsage if there is none of the name, NeedsOperator while a migration is held by it."""
    with store.session("that owns the database") as connection:
        for first in every_value(connection, str, "long_migrations/hold_query_users", {"name": name}):
            raise NeedsOperator(
                f"The migration {first!r} asks the hold query {name!r}; `lineage migration set {first} hold_query ''`"
                " removes it from there"
            )
        if not execute(connection, "long_migrations/remove_hold_query", {"name": name}):
            raise no_such_query(name)


def no_such_query(name: str) -> WrongUsage:
    return WrongUsage(
        f"No hold query is called {name!r}; `lineage migration hold-query list` shows which there are, and the owner of"
        " the store adds one by `lineage migration hold-query add`"
    )


def exists(connection: Connection, name: str) -> bool:
    return _text(connection, name) is not None


def ask(store: Store, name: str) -> float | None:
    """What a stored query says now; None for nothing at all. Raises TooSlow, WrongUsage if there is none of the name,
    or psycopg.Error or ValueError where it fails.
    """
    with store.connect(application_name="lineage hold query") as connection:
        query = _text(connection, name)
        if query is None:
            raise no_such_query(name)
        connection.rollback()
        return _answer(connection, query)


def _text(connection: Connection, name: str) -> str | None:
    return value_or_none(connection, str, "long_migrations/hold_query", {"name": name})


def _checked(store: Store, query: str) -> float | None:
    try:
        with store.connect(application_name="lineage hold query") as connection:
            return _answer(connection, query)
    except TooSlow as slow:
        raise WrongUsage(f"The query takes more than {LONGEST_SECONDS} s, so it would hold all the time") from slow
    except (psycopg.errors.DatabaseError, ValueError) as error:
        if isinstance(error, psycopg.OperationalError):
            raise
        raise WrongUsage(
            f"The query fails where it may only read, as one SELECT, in the role lineage_reader: {_message(error)}"
        ) from error


def _answer(connection: Connection, query: str) -> float | None:
    """Asks in a transaction that cannot write, as the role that reads, and leaves nothing behind in the session.

    The extended protocol takes one statement alone, so none can end the transaction.
    """
    connection.read_only = True
    with connection.transaction(force_rollback=True):
        connection.execute(
            "SELECT set_config('role', %s, true), set_config('statement_timeout', %s, true)",
            [role(connection, "reader"), f"{LONGEST_SECONDS}s"],
        )
        try:
            bracketed = statements.named("long_migrations/only_a_select").replace("{query}", query)
            cursor = connection.execute(bracketed.encode(), binary=True)
        except psycopg.errors.QueryCanceled as error:
            raise TooSlow from error
        except psycopg.errors.ProtocolViolation as error:
            raise ValueError("it has a parameter") from error
        found = cursor.fetchall()
    return _number(found)


def _number(found: list[tuple[object, ...]]) -> float | None:
    if len(found) > 1 or any(len(row) != 1 for row in found):
        raise ValueError("it gives more than one value")
    if not found or found[0][0] is None:
        return None
    return float(found[0][0])  # type: ignore[arg-type]


def _message(error: Exception) -> str:
    return (error.diag.message_primary if isinstance(error, psycopg.Error) else None) or str(error)
