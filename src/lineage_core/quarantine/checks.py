"""The health check of quarantine."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

QUARANTINED = HealthCheck(
    "quarantined",
    by_statement("quarantine/checks/quarantined"),
    "`lineage quarantine list` says why; after a fix, `lineage quarantine retry` takes them in again.",
)
"""Documents that could not become rows."""
