"""Streams that are on, and that nobody publishes: their changes pile up."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.streams.store.heads import unpublished_streams


def _unpublished(looked: Looked) -> Iterator[str]:
    for name in unpublished_streams(looked.connection):
        yield f"The stream {name} is on, and its changes have waited for more than a day"


HEALTH_CHECK = HealthCheck(
    "unpublished_streams",
    _unpublished,
    "`lineage stream publish` publishes them; `lineage stream stop NAME` ends it. Is the DAG publish_streams paused?",
)
