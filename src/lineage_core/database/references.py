"""References that merges and retention keep, as Postgres holds no foreign key for them: whether they do.

See decision 76, and `Reference.is_enforced`.
"""

from __future__ import annotations

from collections.abc import Iterator

from psycopg import sql

from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import Column, Reference, Table
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, one_value


def broken_references(store: Store) -> list[str]:
    """A sentence for each reference by which rows name what is not there. Reads every row of these tables."""
    with store.session("lineage_reader") as connection:
        return list(_broken(connection))


def _broken(connection: Connection) -> Iterator[str]:
    for table, column, reference in kept_references():
        rows = one_value(connection, int, _counting(table, column, reference))
        if rows:
            yield f"{rows:,} rows of {table.name} name {reference.table} that are not there, by {column.name}"


def kept_references() -> Iterator[tuple[Table, Column, Reference]]:
    """Those without a foreign key."""
    for table in all_tables():
        for column in table.columns:
            if column.reference and not column.reference.is_enforced:
                yield table, column, column.reference


def _counting(table: Table, column: Column, to: Reference) -> sql.Composed:
    return composed(
        "database/broken_references",
        table=sql.Identifier(table.name),
        column=sql.Identifier(column.name),
        other=sql.Identifier(to.table),
        key=sql.Identifier(to.column),
    )
