"""Tables in whose place there may be a view: which of them are one now."""

from __future__ import annotations

from psycopg import sql

from lineage_core.declare.tables import replaceable_tables
from lineage_core.postgres.connection import Connection
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
