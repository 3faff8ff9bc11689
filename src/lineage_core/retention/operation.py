"""What operators ask of retention: what was interrupted, and when it was applied last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.capability import AskedStore, HealthCheck, StatusTopic, ago, by_statement, counted
from lineage_core.retention.store.reports import reports

UNFINISHED_ARCHIVES = HealthCheck(
    "unfinished_archives",
    by_statement("retention/checks/unfinished_archives"),
    "`lineage retention apply --yes --archive URL` below the same URL removes them, and archives what is left.",
)
"""What applications of retention that were interrupted have left in an archive."""

UNFINISHED_RETENTION = HealthCheck(
    "unfinished_retention",
    by_statement("retention/checks/unfinished_retention"),
    "`lineage retention apply --yes` deletes the rest.",
)
"""Applications of retention that were interrupted."""


@dataclass(frozen=True)
class LastRetention:
    """The last application of retention; `finished_at` is None while it is at work, and after it was interrupted."""

    started_at: datetime
    finished_at: datetime | None
    rows: int


def _find(store: AskedStore) -> LastRetention | None:
    last = reports(store.store, most=1)
    return next((LastRetention(one.started_at, one.finished_at, sum(one.deleted.values())) for one in last), None)


def _lines(found: LastRetention | None, now: datetime) -> Iterator[tuple[str, str]]:
    if found is None:
        yield "retention", "was never applied"
        return
    ended = "" if found.finished_at else ", and has not finished"
    yield "retention", f"{counted(found.rows, 'row')} deleted {ago(found.started_at, now)}{ended}"


RETENTION = StatusTopic("retention", 80, _find, _lines)
