"""Which facets could not be read, how often, and whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from lineage_core import statements
from lineage_core.postgres.connection import connect
from lineage_core.postgres.failures import explained


@dataclass(frozen=True)
class UnreadableFacets:
    """Facets of one producer with one fault. Times are those of events; `path` is where the last one has the fault."""

    name: str
    reason: str
    producer: str
    facets: int
    first_time: datetime
    last_time: datetime
    path: str


def unreadable_facets(dsn: str) -> list[UnreadableFacets]:
    """All of them, the most frequent first."""
    with explained("lineage_reader"), connect(dsn) as connection:
        cursor = connection.cursor(row_factory=class_row(UnreadableFacets))
        return cursor.execute(statements.named("reading/unreadable_facets")).fetchall()
