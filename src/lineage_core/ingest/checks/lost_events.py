"""Months whose raw events are gone, though nobody has archived them."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, by_statement

HEALTH_CHECK = HealthCheck(
    "lost_events",
    by_statement("ingest/checks/lost_events"),
    "Somebody has dropped the partition, or deleted its rows. Attach it again from a backup, or ingest these events"
    " again: the tables keep what they have, but a replay and an archive miss them.",
)
