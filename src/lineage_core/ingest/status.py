"""How much has arrived lately."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.postgres.typed_rows import one_row
from lineage_core.status_topic import AskedStore, StatusTopic


@dataclass(frozen=True)
class Arrivals:
    """Events that arrived in the last hour and day, of those that happened in the last day."""

    last_hour: int
    last_day: int


def _find(store: AskedStore) -> Arrivals:
    return one_row(store.connection, Arrivals, "ingest/status/arrivals")


def _lines(found: Arrivals, _now: datetime) -> Iterator[tuple[str, str]]:
    yield "arrivals", f"{found.last_hour:,} in the last hour, {found.last_day:,} in the last day"


ARRIVALS = StatusTopic("arrivals", _find, _lines)
