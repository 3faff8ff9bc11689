"""A clock of this machine that is not the server's."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.postgres.typed_rows import one_value

MOST_SECONDS = 5.0


def _skew(looked: Looked) -> Iterator[str]:
    before = datetime.now(UTC)
    there = one_value(looked.connection, datetime, "database/checks/clock")
    skew = (there - before).total_seconds()
    if abs(skew) > MOST_SECONDS:
        place = "ahead of" if skew > 0 else "behind"
        yield f"The clock of the server is {abs(skew):,.0f} s {place} that of this machine"


HEALTH_CHECK = HealthCheck(
    "clock", _skew, "Let both machines keep time by NTP: which event is newer, and what is old, follows from clocks."
)
