"""A database that differs from the declarations."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.database.store import differences
from lineage_core.health_check import HealthCheck, Looked


def _differences(looked: Looked) -> Iterator[str]:
    found = differences(looked.store, looked.upgrade_steps)
    if found:
        yield f"{len(found)} differences from the declarations, the first: {found[0]}"


HEALTH_CHECK = HealthCheck(
    "schema", _differences, "`lineage db check` shows them all; `lineage db upgrade` runs what is waiting."
)
