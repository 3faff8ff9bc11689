"""What tests ask of captured changes: the images of a table, and their net."""

from __future__ import annotations

from collections import Counter

from psycopg import sql

from lineage_core.declare.streams import all_streams, captured_table
from lineage_core.postgres.store import Store
from lineage_core.streams.store import switches


def start_all(store: Store) -> None:
    for stream in all_streams():
        switches.start(store, stream.name)


def captured_net(store: Store, table: str) -> Counter[str]:
    """For each image, as JSON, how many rows came, less those that went."""
    with store.connect() as connection:
        found = connection.execute(
            sql.SQL(
                "SELECT (to_jsonb(c) - ARRAY['change_xid', 'change_number', 'copies'])::text, sum(copies)::integer"
                " FROM changes.{} AS c GROUP BY 1 HAVING sum(copies) <> 0"
            ).format(sql.Identifier(table))
        )
        return Counter({text: copies for text, copies in found})


def stored_images(store: Store, table: str) -> Counter[str]:
    """The rows that the table has, as their images would be."""
    captured = captured_table(table)
    columns = sql.SQL(", ").join(
        sql.SQL("{}::{} AS {}").format(
            sql.Identifier(column.name), sql.SQL(captured.type_of(column).sql), sql.Identifier(column.name)
        )
        for column in captured.columns
    )
    with store.connect() as connection:
        found = connection.execute(
            sql.SQL("SELECT to_jsonb(i)::text, count(*)::integer FROM (SELECT {} FROM {}) AS i GROUP BY 1").format(
                columns, sql.Identifier(table)
            )
        )
        return Counter({text: rows for text, rows in found})
