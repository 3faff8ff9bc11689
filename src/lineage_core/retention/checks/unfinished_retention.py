"""Applications of retention that were interrupted."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "unfinished_retention",
    by_statement("retention/checks/unfinished_retention"),
    "`lineage retention apply --yes` deletes the rest.",
)
