"""Which facets could not be read, how often, and whose they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row


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


def unreadable_facets(store: Store) -> list[UnreadableFacets]:
    """All of them, the most frequent first."""
    with store.session("lineage_reader") as connection:
        return every_row(connection, UnreadableFacets, "reading/unreadable_facets")
