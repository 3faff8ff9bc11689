"""Events that Airflow's transport does not bring into the store: it is broken, or no event came after them.

No event tells of that, as it would have to travel the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.ingest.spool import Spool

LONGEST = timedelta(minutes=30)
"""The next event takes along what waits, and the schedule alone sends some every ten minutes."""


def is_stuck(since: datetime) -> bool:
    return datetime.now(UTC) - since > LONGEST


def _stuck(looked: Looked) -> Iterator[str]:
    since = Spool(looked.spool).oldest()
    if since is not None and is_stuck(since):
        yield f"Events have waited in the spool {looked.spool} since {since:%Y-%m-%d %H:%M} UTC"


HEALTH_CHECK = HealthCheck(
    "stuck_spool",
    _stuck,
    "`lineage ingest` stores them, or says why it cannot. Airflow's log of tasks says what the transport met.",
)
