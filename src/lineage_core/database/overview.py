"""How many rows the tables of a store have."""

from __future__ import annotations

from collections.abc import Iterable

from psycopg import sql

from lineage_core.model.vocabulary import Table
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_row


def row_counts(store: Store, tables: Iterable[Table]) -> dict[str, int]:
    """The number of rows of each table, all as of one moment."""
    named = {table.name: sql.Identifier(table.schema, table.name) for table in tables}
    count = sql.SQL("(SELECT count(*) FROM {}) AS {}")
    counts = [count.format(identifier, sql.Identifier(name)) for name, identifier in named.items()]
    with store.connect() as connection:
        return one_row(connection, dict, sql.SQL("SELECT {}").format(sql.SQL(", ").join(counts)))
