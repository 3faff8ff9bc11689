"""Read-only looks at the store: how many rows a table has, and what a named query of sql/queries/ answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from lineage_core.declare.vocabulary import Table
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_row
from lineage_core.settings import PROJECT

QUERIES = PROJECT / "sql" / "queries"


@dataclass(frozen=True)
class Answer:
    """What a query found."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def row_counts(store: Store, tables: Iterable[Table]) -> dict[str, int]:
    """The number of rows of each table, all as of one moment."""
    named = {table.name: sql.Identifier(table.schema, table.name) for table in tables}
    count = sql.SQL("(SELECT count(*) FROM {}) AS {}")
    counts = [count.format(identifier, sql.Identifier(name)) for name, identifier in named.items()]
    with store.connect() as connection:
        return one_row(connection, dict, sql.SQL("SELECT {}").format(sql.SQL(", ").join(counts)))


def answer(store: Store, query: str, parameters: Mapping[str, Any]) -> Answer:
    """Run `sql/queries/<query>.sql` with its parameters bound."""
    with store.connect() as connection:
        found = connection.execute((QUERIES / f"{query}.sql").read_text(), parameters)
        return Answer(tuple(column.name for column in found.description or ()), tuple(found.fetchall()))
