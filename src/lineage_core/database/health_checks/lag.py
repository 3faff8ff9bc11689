"""Events that wait longer than any run should let them."""

from __future__ import annotations

from lineage_core.database.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "lag",
    by_statement("lag"),
    "See whether the DAG `normalize_lineage` is paused or fails; `lineage normalize` takes them now.",
)
