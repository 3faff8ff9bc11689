"""What holds vacuum, or the server's log, back."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "vacuum_horizon",
    by_statement("database/checks/vacuum_horizon"),
    "Drop an unused slot (pg_drop_replication_slot), repair the standby, or end what keeps vacuum from work.",
)
