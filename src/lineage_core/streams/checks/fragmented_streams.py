"""Streams of thousands of small parts: whoever reads them opens a file for every few records."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.changelog.bins import BinSizes
from lineage_core.health_check import HealthCheck, Looked
from lineage_core.streams.store.compacted import fragmented_streams

MANY = 1_000


def _fragmented(looked: Looked) -> Iterator[str]:
    for stream in fragmented_streams(looked.connection, BinSizes().small, MANY):
        yield f"The stream {stream.name} has {stream.small_parts} small parts, each a file to open for its readers"


HEALTH_CHECK = HealthCheck(
    "fragmented_streams",
    _fragmented,
    "`lineage stream compact` merges them. Is the DAG compact_streams paused?",
)
