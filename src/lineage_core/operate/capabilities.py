"""The capabilities that declare something for operators: a new one with health checks, a status or a step of an
upgrade is added here."""

from __future__ import annotations

from typing import Any

from lineage_core.database import checks as database
from lineage_core.database.status import SIZE
from lineage_core.ingest import checks as ingest
from lineage_core.ingest.status import ARRIVALS
from lineage_core.ingest.upgrade import EVENT_PARTITIONS
from lineage_core.long_migrations import checks as long_migrations
from lineage_core.long_migrations.status import MIGRATIONS
from lineage_core.normalize import checks as normalize
from lineage_core.normalize.status import NORMALIZATION, WAITING
from lineage_core.normalize.upgrade import EDGES
from lineage_core.quarantine import checks as quarantine
from lineage_core.quarantine.status import QUARANTINE
from lineage_core.receiver import checks as receiver
from lineage_core.receiver.status import RECEIVER
from lineage_core.retention import checks as retention
from lineage_core.retention.status import RETENTION
from lineage_core.schema_alerts import checks as schema_alerts
from lineage_core.schema_alerts.status import SCHEMA_CHANGES
from lineage_core.status_topic import StatusTopic
from lineage_core.streams import checks as streams
from lineage_core.streams.upgrade import STREAM_SCHEMAS
from lineage_core.upgrade_step import UpgradeStep

HEALTH_CHECKS = (database, ingest, long_migrations, normalize, quarantine, receiver, retention, schema_alerts, streams)
"""Modules that declare health checks: each of their values that is one."""

STATUS_TOPICS: tuple[StatusTopic[Any], ...] = (
    WAITING,
    NORMALIZATION,
    ARRIVALS,
    RECEIVER,
    QUARANTINE,
    SCHEMA_CHANGES,
    MIGRATIONS,
    RETENTION,
    SIZE,
)
"""In the order in which operators read them."""

UPGRADE_STEPS: tuple[UpgradeStep, ...] = (STREAM_SCHEMAS, EDGES, EVENT_PARTITIONS)
"""In the order in which an upgrade does them."""
