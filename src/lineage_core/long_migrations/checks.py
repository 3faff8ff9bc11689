"""The health check of long migrations."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

STUCK_MIGRATIONS = HealthCheck(
    "stuck_migrations",
    by_statement("long_migrations/checks/stuck_migrations"),
    "`lineage migration status` says what; then `retry`, `accept`, `resume` or `run`.",
)
"""Long migrations that go no further without a person."""
