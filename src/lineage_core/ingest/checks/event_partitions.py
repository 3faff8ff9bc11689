"""Months of raw events without a partition of their own."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "event_partitions",
    by_statement("ingest/checks/event_partitions"),
    "`lineage db upgrade` makes them; every normalization run should, so see why none did.",
)
