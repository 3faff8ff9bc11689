"""How large the store is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from lineage_core.postgres.typed_rows import one_value
from lineage_core.status_topic import AskedStore, StatusTopic


def _find(store: AskedStore) -> int:
    """Bytes."""
    return one_value(store.connection, int, "database/database_size")


def _lines(found: int, _now: datetime) -> Iterator[tuple[str, str]]:
    yield "size", f"{found / 1e6:,.0f} MB"


def _figures(found: int, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "database.bytes", found


SIZE = StatusTopic("database_bytes", _find, _lines, _figures)
