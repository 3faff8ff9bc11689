"""Figures of the platform, by the StatsD or OpenTelemetry that Airflow itself is set to (its section `[metrics]`).

They are emitted by tasks, where Airflow makes its facade ready. Where neither is on, the store is not even asked. What
each means stands in docs/how-to/watch-the-platform.md.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from airflow.sdk.configuration import conf
from airflow.sdk.observability import stats

from lineage_core.errors import LineageError
from lineage_core.ingest.spool import Spool
from lineage_core.operate.whole_store import StoreStatus, store_status
from lineage_core.postgres.store import Store
from lineage_core.retention.store.reports import RetentionReport
from lineage_core.settings import ProjectSettings
from lineage_core.streams.waiting import waiting_changes

EXPORTERS = ("statsd_on", "statsd_datadog_enabled", "otel_on")
"""Options of `[metrics]`."""

_log = logging.getLogger(__name__)


def report_run(outcome: Mapping[str, Any]) -> None:
    """What a normalization run did: its `NormalizationOutcome`, as JSON has it."""
    for figure in ("events", "quarantined", "expired", "slices"):
        stats.incr(f"lineage.normalized.{figure}", outcome[figure])
    stats.timing("lineage.normalized.duration", timedelta(seconds=outcome["seconds"]))
    if outcome["slices"]:
        stats.timing("lineage.normalized.slice_duration", timedelta(seconds=outcome["seconds"] / outcome["slices"]))


def report_publication(outcome: Mapping[str, Any]) -> None:
    """What a publication of streams did: its `PublicationOutcome`, as JSON has it."""
    for figure in ("records", "parts"):
        stats.incr(f"lineage.published.{figure}", outcome[figure])
    stats.timing("lineage.published.duration", timedelta(seconds=outcome["seconds"]))
    stats.gauge("lineage.streams.starting", len(outcome["starting"]))


def report_retention(report: RetentionReport) -> None:
    """What an application of retention has freed."""
    for table, rows in report.deleted.items():
        stats.incr(f"lineage.retention.deleted_rows.{table}", rows)


def report_store() -> None:
    """How the store and its spool on this machine are now. Of several stores, each figure has the tag `store`.

    A store that cannot be asked does not undo what the task has done before: it fails the next one that needs it.
    """
    if not is_exported():
        return
    try:
        settings = ProjectSettings.from_environment()
        tags = None if settings.store is None else {"store": settings.store}
        spool = Spool(settings.spool).size() if settings.spool.is_dir() else 0
        stats.gauge("lineage.spool.bytes", spool, tags=tags)
        if settings.dsn is not None:
            store = Store(settings.dsn)
            _report_status(store_status(store), datetime.now(UTC), tags)
            stats.gauge("lineage.streams.waiting_changes", sum(waiting_changes(store).values()), tags=tags)
    except (LineageError, OSError) as error:
        _log.warning("The figures of the store are not reported: %s", error)


def is_exported() -> bool:
    """Whether Airflow is set to export metrics."""
    return any(conf.getboolean("metrics", option) for option in EXPORTERS)


def _report_status(status: StoreStatus, now: datetime, tags: dict[str, str] | None) -> None:
    for topic, found in status.items():
        for name, value in topic.figures(found, now):
            stats.gauge(f"lineage.{name}", value, tags=tags)
