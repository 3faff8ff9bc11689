"""The health checks of retention."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

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
