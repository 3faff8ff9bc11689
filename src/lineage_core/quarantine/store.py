"""The quarantine: documents that could not become rows, put in and looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from psycopg.rows import class_row

from lineage_core.errors import WrongUsage
from lineage_core.model.arrivals import Refused
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained

# Without a conflict target, so that no right to read is needed.
_PUT = """
INSERT INTO quarantine (reason, path, raw, source) VALUES (%s, %s, %b, %s)
ON CONFLICT DO NOTHING
"""

_ENTRIES = "SELECT id, reason, path, source, received_at, octet_length(raw) AS size FROM quarantine "


@dataclass(frozen=True)
class Entry:
    """A document in quarantine, without its text. `size` is in bytes."""

    id: int
    reason: str
    path: str
    source: str
    received_at: datetime
    size: int


def put(connection: Connection, documents: Sequence[Refused]) -> None:
    """Keep documents; one that is there already stays as it is."""
    if documents:
        connection.cursor().executemany(_PUT, [_values(document) for document in documents])


def _values(document: Refused) -> tuple[str, str, bytes, str]:
    return document.reason, document.path, document.raw, document.source


def entries(dsn: str) -> list[Entry]:
    """All that is in quarantine, oldest first."""
    return _select(dsn, "ORDER BY id")


def entry(dsn: str, number: int) -> Entry:
    found = _select(dsn, "WHERE id = %s", number)
    if not found:
        raise unknown(number)
    return found[0]


def raw(dsn: str, number: int) -> bytes:
    """A document as it arrived, byte for byte."""
    with explained("lineage_reader"), connect(dsn) as connection:
        found = connection.execute("SELECT raw FROM quarantine WHERE id = %s", [number], binary=True).fetchone()
    if found is None:
        raise unknown(number)
    return bytes(found[0])


def unknown(number: int) -> WrongUsage:
    return WrongUsage(f"Nothing in quarantine has the number {number}; `lineage quarantine list` shows what is there.")


def _select(dsn: str, which: LiteralString, *values: object) -> list[Entry]:
    with explained("lineage_reader"), connect(dsn) as connection:
        cursor = connection.cursor(row_factory=class_row(Entry))
        return cursor.execute(_ENTRIES + which, values).fetchall()
