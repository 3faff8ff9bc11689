"""Raw events that stay in the default partition, though they should have moved to one of their month."""

from __future__ import annotations

from lineage_core.health_check import HealthCheck, Looked
from lineage_core.ingest.store.event_partitions import MONTHS_AHEAD
from lineage_core.postgres.typed_rows import every_value


def _waiting(looked: Looked) -> list[str]:
    statement = "ingest/checks/default_partition"
    return every_value(looked.connection, str, statement, {"months_ahead": MONTHS_AHEAD})


HEALTH_CHECK = HealthCheck(
    "default_partition",
    _waiting,
    "Run `lineage normalize`, which moves events for some seconds; if none move, see who has locks on lineage_events.",
)
