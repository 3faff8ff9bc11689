"""What the login that looks does not see."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "sight",
    by_statement("database/checks/sight"),
    "GRANT pg_monitor to it: other checks find nothing there, whatever there is.",
    needs_person=False,
)
