"""What operators ask of quarantine: whether something is there, and how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.capability import AskedStore, HealthCheck, StatusTopic, ago, by_statement, counted
from lineage_core.postgres.typed_rows import one_row

QUARANTINED = HealthCheck(
    "quarantined",
    by_statement("quarantine/checks/quarantined"),
    "`lineage quarantine list --by-reason` says why, and what helps with each.",
)
"""Documents that could not become rows."""


@dataclass(frozen=True)
class QuarantineStatus:
    """Documents that could not become rows, and how many others people have discarded."""

    documents: int
    last_at: datetime | None
    discarded: int


def _find(store: AskedStore) -> QuarantineStatus:
    return one_row(store.connection, QuarantineStatus, "quarantine/status/quarantine")


def _lines(found: QuarantineStatus, now: datetime) -> Iterator[tuple[str, str]]:
    last = f", the last {ago(found.last_at, now)}" if found.last_at else ""
    discarded = f"; {found.discarded:,} discarded" if found.discarded else ""
    yield "quarantine", f"{counted(found.documents, 'document')}{last}{discarded}"


def _figures(found: QuarantineStatus, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "quarantine.documents", found.documents
    yield "quarantine.discarded", found.discarded


QUARANTINE = StatusTopic("quarantine", 50, _find, _lines, _figures)
