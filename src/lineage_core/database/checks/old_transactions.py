"""Transactions that stay open."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "old_transactions",
    by_statement("database/checks/old_transactions"),
    "End it if nobody needs it: meanwhile no deleted row of the whole database is given back to new ones.",
)
