"""Leases whose holder lives, but does nothing."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "leases",
    by_statement("database/checks/leases"),
    "A run by event time moves no watermark. Any other hangs: end its process, and the next run goes on where it was.",
)
