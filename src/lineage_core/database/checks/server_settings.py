"""Settings of Postgres that lose data, or let tables grow without end."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "server_settings",
    by_statement("database/checks/server_settings"),
    "Set it back in postgresql.conf, and reload or restart Postgres.",
)
