"""What applications of retention that were interrupted have left in an archive."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "unfinished_archives",
    by_statement("retention/checks/unfinished_archives"),
    "`lineage retention apply --yes --archive URL` below the same URL removes them, and archives what is left.",
)
