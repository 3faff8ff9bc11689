"""Read-only looks at the store: how many rows a table has, and what a named query of sql/queries/ answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from lineage_core.model.vocabulary import Table
from lineage_core.postgres.connection import connect
from lineage_core.settings import PROJECT

QUERIES = PROJECT / "sql" / "queries"


@dataclass(frozen=True)
class Answer:
    """What a query found."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def row_counts(dsn: str, tables: Iterable[Table]) -> dict[str, int]:
    """The number of rows of each table, all as of one moment."""
    named = {table.name: sql.Identifier(table.schema, table.name) for table in tables}
    counts = [sql.SQL("(SELECT count(*) FROM {})").format(identifier) for identifier in named.values()]
    with connect(dsn) as connection:
        row = connection.execute(sql.SQL("SELECT {}").format(sql.SQL(", ").join(counts))).fetchone()
    return dict(zip(named, row or (), strict=True))


def answer(dsn: str, query: str, parameters: Mapping[str, Any]) -> Answer:
    """Run `sql/queries/<query>.sql` with its parameters bound."""
    text = (QUERIES / f"{query}.sql").read_text()
    with connect(dsn) as connection:
        found = connection.execute(text.encode(), parameters)
        return Answer(tuple(column.name for column in found.description or ()), tuple(found.fetchall()))
