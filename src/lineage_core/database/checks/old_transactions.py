"""Transactions that stay open."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "old_transactions",
    by_statement("database/checks/old_transactions"),
    "End it if it is not needed: until then, the space of deleted rows cannot be used again in the whole database.",
)
