"""Tables in whose place there may be a view: which of them are one now, and how they become one."""

from __future__ import annotations

from collections.abc import Collection

from psycopg import sql

from lineage_core import statements
from lineage_core.declare.tables import replaceable_tables
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.typed_rows import every_value


def replaced_tables(connection: Connection) -> frozenset[str]:
    """The names of declared tables that are views."""
    names = [table.name for table in replaceable_tables()]
    return frozenset(every_value(connection, str, "postgres/views", {"names": names}))


def keep_replaced_tables(connection: Connection) -> frozenset[str]:
    """The same, and none of the others becomes one before the transaction ends."""
    for table in replaceable_tables():
        connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.Identifier(table.name)))
    return replaced_tables(connection)


def put_views_in_place(connection: Connection, tables: Collection[str]) -> None:
    """Puts a view in the place of each of these tables, in the first schema of the search path."""
    for table in replaceable_tables():
        if table.replacement and table.name in tables:
            run_script(connection, statements.named(table.replacement))
