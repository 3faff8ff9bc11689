"""The health check of schema alerts."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

SCHEMA_CHANGES = HealthCheck(
    "schema_changes",
    by_statement("schema_alerts/checks/schema_changes"),
    "`lineage schema alerts` says what they broke, and which job wrote them; tell who reads these datasets, then"
    " `lineage schema acknowledge`.",
    needs_person=False,
)
"""Schemas of users' datasets that broke a rule."""
