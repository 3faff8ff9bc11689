"""Sequences near their end."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "sequences",
    by_statement("database/checks/sequences"),
    "Somebody has set it, as the store never comes near. ALTER SEQUENCE … RESTART behind the highest number in use.",
)
