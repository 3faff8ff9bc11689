"""The health checks of normalization."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from lineage_core.health_check import HealthCheck, Looked, by_statement
from lineage_core.normalize.store.event_choices import stranger, waiting_since

LONGEST_WAIT = timedelta(minutes=30)
"""The schedule takes what waits every ten minutes."""


def _lag(looked: Looked) -> Iterator[str]:
    since = waiting_since(looked.connection)
    if since is not None and datetime.now(UTC) - since > LONGEST_WAIT:
        yield f"Events have waited since {since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


LAG = HealthCheck(
    "lag", _lag, "See whether the DAG `normalize_lineage` is paused or fails; `lineage normalize` takes them now."
)
"""Events that wait longer than any run should let them."""

OPEN_RUNS = HealthCheck(
    "open_runs",
    by_statement("normalize/checks/open_runs"),
    "Either they were killed, or events were lost: look for warnings of the producer's transport, and in its spool.",
    needs_person=False,
)
"""Runs whose end nobody has reported."""


def _strangers(looked: Looked) -> Iterator[str]:
    found = stranger(looked.connection)
    if found is not None:
        yield f"{found}: the database was restored from a dump"


OTHER_CLUSTER = HealthCheck("other_cluster", _strangers, "Run `lineage db rebase`, then `lineage normalize`.")
"""A watermark that means nothing here."""
