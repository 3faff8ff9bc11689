"""Documents that could not become rows."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "quarantined",
    by_statement("quarantine/checks/quarantined"),
    "`lineage quarantine list` says why; after a fix, `lineage quarantine retry` takes them in again.",
)
