"""Tokens whose producers are refused soon, or by now."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "expiring_tokens",
    by_statement("receiver/checks/expiring_tokens"),
    "`lineage token create` makes the next one; give it to the producer, then `lineage token revoke` the old one.",
)
