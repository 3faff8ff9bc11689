"""The two databases: that of the earlier store, and one of another name beside it on the same server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from psycopg import errors, sql
from psycopg.conninfo import make_conninfo

from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.group_roles import prefix, prefixed_roles
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, execute, one_row, one_value, value_or_none
from lineage_core.statements import named

MAINTENANCE = "postgres"
"""The database that every server has, from which others are renamed."""


ATTEMPTS = 5
"""To rename the databases, where the sessions of others are ended: some connect again at once."""


@dataclass(frozen=True)
class Database:
    """A database by its name, its number in the cluster and its size."""

    name: str
    oid: int
    bytes: int


def database_of(store: Store) -> Database:
    """Which one a store is in."""
    with store.connect() as connection:
        return one_row(connection, Database, "carry_over/database")


def beside(store: Store, name: str) -> Store:
    """What another database of the same server holds, for the same login."""
    return Store(make_conninfo(store.dsn, dbname=name))


def exists(store: Store, name: str) -> bool:
    with store.connect() as connection:
        return one_value(connection, bool, "carry_over/database_exists", {"name": name})


def make_database(store: Store, name: str) -> None:
    """Raises NeedsOperator, with what an administrator has to do, if this login may not make one."""
    with store.connect(autocommit=True) as connection:
        statement = composed("carry_over/make_database", database=sql.Identifier(name))
        try:
            connection.execute(statement)
        except errors.InsufficientPrivilege as error:
            login = sql.Identifier(connection.info.user).as_string(connection)
            quoted = sql.Identifier(name).as_string(connection)
            raise NeedsOperator(
                f"This login may not make a database. Somebody who may does it once, and the same command goes on:"
                f" CREATE DATABASE {quoted} OWNER {login} TEMPLATE template0 ENCODING 'UTF8'"
            ) from error


def source_of(new: Store) -> int | None:
    """The number of the database from which a store is filled, None if it is not filled from another."""
    with new.connect() as connection:
        if not _is_being_filled(connection):
            return None
        return one_value(connection, int, "carry_over/source_of")


def name_of(store: Store, oid: int) -> str | None:
    """The name that a database of the same server has now."""
    with store.connect() as connection:
        return value_or_none(connection, str, "carry_over/database_of", {"database": oid})


def begin(new: Store, source: Database) -> None:
    """Notes what the new store is filled from. Raises WrongUsage if it is filled from another, or holds anything."""
    with new.connect() as connection:
        if _is_being_filled(connection):
            if one_value(connection, int, "carry_over/source_of") != source.oid:
                raise WrongUsage(
                    f"The database {connection.info.dbname} is filled from another store; name another one"
                )
            return
        if not one_value(connection, bool, "carry_over/is_empty"):
            raise WrongUsage(
                f"The database {connection.info.dbname} holds what this command has not made; name another"
            )
        run_script(connection, named("carry_over/begin"))
        execute(connection, "carry_over/note_source", {"database": source.oid})


def close_like(earlier: Store, new: Store) -> None:
    """Where only the group roles may connect to the earlier store, it is so with the new one.

    An upgrade leaves a database open whose roles are those of another store, too.
    """
    with earlier.connect() as connection:
        is_open = one_value(connection, bool, "carry_over/is_open")
        roles = prefixed_roles(prefix(connection))
    if is_open:
        return
    with new.connect() as connection:
        parts = {
            "database": sql.Identifier(connection.info.dbname),
            "roles": sql.SQL(", ").join(map(sql.Identifier, roles)),
        }
        connection.execute(composed("carry_over/close", **parts))


def end(new: Store) -> None:
    """Forgets how far the carrying over is."""
    with new.connect() as connection:
        execute(connection, "carry_over/end")


def swap(earlier: Store, old: str, new: str, aside: str, *, ends_sessions: bool = False) -> None:
    """Gives the new store the name of the earlier one, whose name becomes `aside`: both or neither.

    ends_sessions: of others, in both databases. Postgres lets no new one begin while it waits for those to end.

    Raises TryAgain while somebody is connected to one of them, and NeedsOperator if the login may not.
    """
    renamed = ((old, aside), (new, old))
    for left in range(ATTEMPTS if ends_sessions else 1, 0, -1):
        if ends_sessions:
            _end_sessions(earlier, (old, new))
        try:
            _rename(earlier, renamed)
            return
        except TryAgain:
            if left == 1:
                raise


def _rename(earlier: Store, renamed: Sequence[tuple[str, str]]) -> None:
    with beside(earlier, MAINTENANCE).connect() as connection, _renaming_explained(renamed):
        for database, name in renamed:
            parts = {"database": sql.Identifier(database), "name": sql.Identifier(name)}
            connection.execute(composed("carry_over/rename", **parts))


def _end_sessions(earlier: Store, names: Sequence[str]) -> None:
    with beside(earlier, MAINTENANCE).connect() as connection:
        try:
            one_value(connection, int, "carry_over/rebuild/end_sessions", {"databases": list(names)})
        except errors.InsufficientPrivilege as error:
            raise NeedsOperator(
                f"This login may not end the sessions of others ({error.diag.message_primary}). Stop what is connected,"
                " or let it have the role pg_signal_backend"
            ) from error


@contextmanager
def _renaming_explained(renamed: Iterable[tuple[str, str]]) -> Iterator[None]:
    try:
        yield
    except errors.ObjectInUse as error:
        raise TryAgain(
            f"{error.diag.message_primary}: {error.diag.message_detail} Stop what is connected, and try again"
        ) from error
    except errors.InsufficientPrivilege as error:
        statements = "; ".join(f'ALTER DATABASE "{database}" RENAME TO "{name}"' for database, name in renamed)
        raise NeedsOperator(
            f"This login may not rename databases. Somebody who may does it in one transaction: {statements};"
            " the same command takes what came in meanwhile"
        ) from error


def _is_being_filled(connection: Connection) -> bool:
    return one_value(connection, bool, "postgres/relation_exists", {"name": "lineage_carry_over.source"})
