"""What an upgrade does to raw events: they get the partitions that they need now and next."""

from __future__ import annotations

from lineage_core.ingest.store.event_partitions import ensure_event_partitions
from lineage_core.upgrade_step import UpgradeStep

EVENT_PARTITIONS = UpgradeStep(follow_up=ensure_event_partitions)
