"""Events that wait longer than any run should let them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.normalize.store.waiting_since import waiting_since

LONGEST = timedelta(minutes=30)
"""The schedule takes what waits every ten minutes."""


def _lag(looked: Looked) -> Iterator[str]:
    since = waiting_since(looked.connection)
    if since is not None and datetime.now(UTC) - since > LONGEST:
        yield f"Events have waited since {since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


HEALTH_CHECK = HealthCheck(
    "lag", _lag, "See whether the DAG `normalize_lineage` is paused or fails; `lineage normalize` takes them now."
)
