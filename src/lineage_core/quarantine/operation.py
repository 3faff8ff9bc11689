"""What operators ask of quarantine: whether something is there, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.capability import AskedStore, HealthCheck, StatusTopic, ago, by_statement
from lineage_core.postgres.typed_rows import one_row

QUARANTINED = HealthCheck(
    "quarantined",
    by_statement("quarantine/checks/quarantined"),
    "`lineage quarantine list` says why; after a fix, `lineage quarantine retry` takes them in again.",
)
"""Documents that could not become rows."""


@dataclass(frozen=True)
class Quarantined:
    """Documents that could not become rows."""

    documents: int
    last_at: datetime | None


def _find(store: AskedStore) -> Quarantined:
    return one_row(store.connection, Quarantined, "quarantine/status/quarantine")


def _lines(found: Quarantined, now: datetime) -> Iterator[tuple[str, str]]:
    last = f", the last {ago(found.last_at, now)}" if found.last_at else ""
    yield "quarantine", f"{found.documents:,} documents{last}"


def _figures(found: Quarantined, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "quarantine.documents", found.documents


QUARANTINE = StatusTopic("quarantine", 50, _find, _lines, _figures)
