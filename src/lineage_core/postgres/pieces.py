"""Large values read by COPY, a piece at a time: libpq's buffer never shrinks, and doubles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from psycopg import sql

from lineage_core import statements
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed

PIECE = 1 << 20
"""Bytes."""


def marked_values(
    connection: Connection, statement: str, parameters: Mapping[str, Any]
) -> Iterator[tuple[bytes, bool]]:
    """The rows of a statement, by its name, whose columns are a bytea and a boolean."""
    return _values(connection, sql.SQL(statements.named(statement)), parameters, "bool")


def described_values(
    connection: Connection, statement: str, parameters: Mapping[str, Any]
) -> Iterator[tuple[bytes, str]]:
    """The rows of a statement, by its name, whose columns are a bytea and a text."""
    return _values(connection, sql.SQL(statements.named(statement)), parameters, "text")


def large_value(connection: Connection, statement: str, parameters: Mapping[str, Any]) -> bytes:
    """The one bytea of a statement, a path below `sql/`."""
    marked = sql.SQL("SELECT found.*, true FROM ({}) AS found").format(sql.SQL(statements.named(statement)))
    ((content, _),) = _values(connection, marked, parameters, "bool")
    return content


def _values(
    connection: Connection, statement: sql.Composable, parameters: Mapping[str, Any], mark_type: str
) -> Iterator[tuple[bytes, Any]]:
    pieces: list[bytes] = []
    query = composed("postgres/pieces", statement=statement, piece=sql.Literal(PIECE))
    with connection.cursor().copy(query, parameters) as copy:
        copy.set_types(["bytea", "bool", mark_type])
        for piece, is_last, mark in copy.rows():
            pieces.append(piece)
            if is_last:
                content = b"".join(pieces)
                pieces.clear()
                yield content, mark
