"""The first page: what waits, what fails, and what ran last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from typing_extensions import TypedDict

from lineage_core.capability import counted
from lineage_core.operate.whole_store import store_status
from lineage_core.pages.last_runs import latest_start
from lineage_core.pages.page import LineagePage, Reader, all_pages
from lineage_core.pages.rows import listed
from lineage_core.pages.run_rows import LastRun
from lineage_core.pages.stored_once import StoredOnceRows, stored_once
from lineage_core.reading.store import snapshot
from lineage_core.streams.reading import list_streams

LAST_RUNS = 12
ADVICE = "health"
"""The page of what has none of its own: it says what is wrong there, and what to do."""


class StatusLine(TypedDict):
    """page: the page that says more."""

    topic: str
    title: str
    line: str
    page: str


class EventHour(TypedDict):
    """How many events of each type an hour has, by event time."""

    hour: datetime
    start: int
    complete: int
    fail: int
    abort: int


class OverviewPage(TypedDict):
    """stored_once: what storing once has saved, by estimates. runs: those that began last."""

    as_of: datetime
    status: list[StatusLine]
    stored_once: list[StoredOnceRows]
    hours: Sequence[EventHour]
    runs: Sequence[LastRun]


def overview(store: Reader) -> OverviewPage:
    """How the store is, as `lineage status` says it, with the pages that say more, what storing once has saved, by
    estimates, and the runs that began last."""
    now = datetime.now(UTC)
    status = store_status(store)
    pages = {page.name for page in all_pages()}
    with snapshot(store) as connection:
        runs = listed(connection, LastRun, "last_runs", LAST_RUNS, before=latest_start(), created_at=None, behind=None)
        hours = listed(connection, EventHour, "hours")
        saved = stored_once(connection)
    return {
        "as_of": now,
        "status": [
            *(
                StatusLine(topic=topic.key, title=title, line=line, page=topic.key if topic.key in pages else ADVICE)
                for topic, value in status.items()
                for title, line in topic.lines(value, now)
            ),
            {"topic": "streams", "title": "streams", "line": _streams(store), "page": "streams"},
        ],
        "stored_once": saved,
        "hours": hours.rows,
        "runs": runs.rows,
    }


def _streams(store: Reader) -> str:
    streams = list_streams(store)
    return f"{sum(one.is_on for one in streams):,} of {counted(len(streams), 'stream')} on"


PAGE = LineagePage("overview", "Overview", 0, overview, path="/")
