"""Which runs began last: those of which an event states a time to come are none of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from lineage_core.pages.rows import listed
from lineage_core.postgres.connection import Connection

AHEAD = timedelta(days=1)
"""How far the clock of a producer may be ahead of this one. An event of a later time is a mistake, which would stand
first in every list for as long as the store lasts."""


def latest_start() -> datetime:
    """Until when a run may have begun that is among the last ones."""
    return datetime.now(UTC) + AHEAD


def has_later_runs(connection: Connection, moment: datetime) -> bool:
    """Whether an event states that a run began at a moment or after it."""
    found = listed(connection, "last_runs", 1, before=None, created_at=None, behind=None)
    return any(one["created_at"] >= moment for one in found.rows)
