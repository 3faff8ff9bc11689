"""What waits to be published."""

from __future__ import annotations

from lineage_core.postgres.store import Store
from lineage_core.streams.store import changes, heads
from lineage_core.streams.store.switches import started_streams, stream_named, undeclared

MOST_COUNTED = 1_000_000
"""Of each captured table."""


def waiting_changes(store: Store) -> dict[str, int]:
    """How many changes, or raw events, of each stream that is on are not published; at most `MOST_COUNTED` of each
    captured table. A stream that has yet to begin is not there: no one has counted its table.
    """
    with store.session("lineage_reader") as connection:
        started = started_streams(connection)
        unknown = undeclared(started)
        found = [heads.head(connection, one.name) for one in started if one.name not in unknown]
        return {
            head.stream: changes.waiting_changes(connection, stream_named(head.stream), head.published, MOST_COUNTED)
            for head in found
            if head is not None and head.published is not None
        }
