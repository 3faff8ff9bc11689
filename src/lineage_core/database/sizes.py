"""How many rows the tables of a store have, how much it takes on disk, and how much space deduplication saves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from psycopg import sql

from lineage_core.declare.vocabulary import Table
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, one_row, one_value


@dataclass(frozen=True)
class TableSize:
    """One table with its partitions. `rows` as Postgres estimates them since its last ANALYZE."""

    table: str
    rows: int
    table_bytes: int
    index_bytes: int


@dataclass(frozen=True)
class StoredOnce:
    """What a view shows of one kind of content, and what is stored in its place. Bytes of rows, without indexes."""

    content: str
    shown_rows: int
    stored_rows: int
    shown_bytes: int
    stored_bytes: int


@dataclass(frozen=True)
class StoreSize:
    """The whole database, its tables from the largest down, and what is stored once."""

    database_bytes: int
    tables: tuple[TableSize, ...]
    stored_once: tuple[StoredOnce, ...]


def store_size(store: Store) -> StoreSize:
    """Reads every row of what is stored once, which takes seconds a million events."""
    with store.session("lineage_reader") as connection:
        return StoreSize(
            one_value(connection, int, "database/database_size"),
            tuple(every_row(connection, TableSize, "database/table_sizes")),
            tuple(every_row(connection, StoredOnce, "database/stored_once")),
        )


def row_counts(store: Store, tables: Iterable[Table]) -> dict[str, int]:
    """The number of rows of each table, all as of one moment."""
    named = {table.name: sql.Identifier(table.schema, table.name) for table in tables}
    count = sql.SQL("(SELECT count(*) FROM {}) AS {}")
    counts = [count.format(identifier, sql.Identifier(name)) for name, identifier in named.items()]
    with store.connect() as connection:
        return one_row(connection, dict, sql.SQL("SELECT {}").format(sql.SQL(", ").join(counts)))
