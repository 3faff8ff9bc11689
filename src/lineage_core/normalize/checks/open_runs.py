"""Runs whose end nobody has reported."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "open_runs",
    by_statement("normalize/checks/open_runs"),
    "Either they were killed, or events were lost: look for warnings of the producer's transport, and in its spool.",
    needs_person=False,
)
