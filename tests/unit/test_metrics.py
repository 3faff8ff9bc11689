"""The figures that a task reports, as StatsD and OpenTelemetry receive them from Airflow's own facade."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.sdk._shared.observability.metrics import stats as facade
from airflow.sdk._shared.observability.metrics.base_stats_logger import NoStatsLogger
from airflow.sdk._shared.observability.metrics.otel_logger import flush_otel_metrics
from airflow.sdk.observability import stats
from airflow.sdk.observability.metrics import stats_utils
from opentelemetry.metrics import get_meter_provider

from lineage_core.airflow import metrics
from lineage_core.capability import StatusTopic
from lineage_core.database.operation import SIZE
from lineage_core.errors import StoreUnavailable
from lineage_core.ingest.operation import ARRIVALS, Arrivals
from lineage_core.ingest.spool import Spool
from lineage_core.long_migrations.operation import MIGRATIONS, MigrationProgress
from lineage_core.normalize.normalization import NormalizationOutcome
from lineage_core.normalize.operation import NORMALIZATION, WAITING, Normalization, WaitingEvents
from lineage_core.operate.whole_store import StoreStatus
from lineage_core.quarantine.operation import QUARANTINE, QuarantineStatus
from lineage_core.receiver.operation import RECEIVER, ReceivedByHttp
from lineage_core.retention.operation import RETENTION
from lineage_core.retention.store.reports import RetentionReport
from lineage_core.schema_alerts.operation import REFUSED_SCHEMAS, RefusedSchemas
from lineage_core.settings import PROJECT
from lineage_core.streams.publication import PublicationOutcome
from tests.support.otlp import Collector
from tests.support.statsd import StatsD

NOW = datetime.now(UTC)
STATUS: dict[StatusTopic[Any], Any] = {
    WAITING: WaitingEvents(12, 3_400, NOW - timedelta(minutes=5), is_more=False),
    NORMALIZATION: Normalization(None, None),
    ARRIVALS: Arrivals(0, 0),
    RECEIVER: ReceivedByHttp(2, 90, 4, 5_000, 70_000),
    QUARANTINE: QuarantineStatus(7, None, 2),
    REFUSED_SCHEMAS: RefusedSchemas(2, None),
    MIGRATIONS: (MigrationProgress("schema-versions", "running", 12.5, 3),),
    RETENTION: None,
    SIZE: 9_000_000,
}


@pytest.fixture
def _task(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The surroundings of a task. What it makes ready for metrics is undone at the end."""
    monkeypatch.setenv("LINEAGE_DSN", "postgresql://jobs@host/store")
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path / "spool"))
    monkeypatch.setattr(metrics, "store_status", lambda _dsn: STATUS)
    monkeypatch.setattr(metrics, "waiting_changes", lambda _dsn: {"runs": 20, "tags": 3})
    yield
    stats.initialize(factory=NoStatsLogger, export_legacy_names=False)


@pytest.fixture
def statsd(_task: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[StatsD]:
    server = StatsD()
    _make_ready(monkeypatch, server.settings)
    yield server
    facade._get_backend().statsd.close()  # type: ignore[union-attr]
    server.close()


@pytest.fixture
def collector(_task: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    server = Collector()
    _make_ready(monkeypatch, server.settings)
    yield server
    get_meter_provider().shutdown()  # type: ignore[attr-defined]
    atexit.unregister(flush_otel_metrics)
    server.close()


def _make_ready(monkeypatch: pytest.MonkeyPatch, settings: Mapping[str, str]) -> None:
    """As Airflow's task runner does."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    stats.initialize(factory=stats_utils.get_stats_factory(), export_legacy_names=False)


def test_the_store_is_reported_as_gauges(statsd: StatsD, tmp_path: Path) -> None:
    with Spool(tmp_path / "spool").put(b"{}"):
        metrics.report_store()
    received = statsd.received()
    seconds = received.pop("airflow.lineage.waiting.seconds")
    assert float(seconds.removesuffix("|g")) >= 300
    assert received == {
        "airflow.lineage.spool.bytes": "4096|g",
        "airflow.lineage.waiting.events": "12|g",
        "airflow.lineage.waiting.bytes": "3400|g",
        "airflow.lineage.quarantine.documents": "7|g",
        "airflow.lineage.quarantine.discarded": "2|g",
        "airflow.lineage.receiver.processes": "2|g",
        "airflow.lineage.receiver.accepted": "90|g",
        "airflow.lineage.receiver.refused": "4|g",
        "airflow.lineage.receiver.mean_seconds": "0.005|g",
        "airflow.lineage.receiver.longest_seconds": "0.07|g",
        "airflow.lineage.streams.waiting_changes": "23|g",
        "airflow.lineage.schema_changes.alerts": "2|g",
        "airflow.lineage.database.bytes": "9000000|g",
        "airflow.lineage.migration.schema-versions.percent": "12.5|g",
        "airflow.lineage.migration.schema-versions.quarantined": "3|g",
    }


def test_nothing_waits_for_no_seconds(statsd: StatsD, monkeypatch: pytest.MonkeyPatch) -> None:
    idle = STATUS | {WAITING: WaitingEvents(0, 0, None, is_more=False)}
    monkeypatch.setattr(metrics, "store_status", lambda _dsn: idle)
    metrics.report_store()
    received = statsd.received()
    assert (received["airflow.lineage.waiting.seconds"], received["airflow.lineage.spool.bytes"]) == ("0|g", "0|g")


def test_a_run_is_reported_as_counters_and_timers(statsd: StatsD) -> None:
    metrics.report_run(vars(NormalizationOutcome(events=100, quarantined=2, expired=1, slices=4, seconds=6.0)))
    assert statsd.received() == {
        "airflow.lineage.normalized.events": "100|c",
        "airflow.lineage.normalized.quarantined": "2|c",
        "airflow.lineage.normalized.expired": "1|c",
        "airflow.lineage.normalized.slices": "4|c",
        "airflow.lineage.normalized.duration": "6000.000000|ms",
        "airflow.lineage.normalized.slice_duration": "1500.000000|ms",
    }


def test_a_collector_of_opentelemetry_receives_the_same_figures(collector: Collector) -> None:
    metrics.report_store()
    metrics.report_run(vars(NormalizationOutcome(events=100, quarantined=2, expired=1, slices=4, seconds=6.0)))
    metrics.report_retention(RetentionReport(1, NOW, {}, None, {"runs": 5}, {}, "jobs", NOW, NOW))
    get_meter_provider().force_flush()  # type: ignore[attr-defined]
    received = collector.received
    assert received.pop("airflow.lineage.waiting.seconds") >= 300
    assert received == {
        "airflow.lineage.spool.bytes": 0,
        "airflow.lineage.waiting.events": 12,
        "airflow.lineage.waiting.bytes": 3_400,
        "airflow.lineage.quarantine.documents": 7,
        "airflow.lineage.quarantine.discarded": 2,
        "airflow.lineage.schema_changes.alerts": 2,
        "airflow.lineage.receiver.processes": 2,
        "airflow.lineage.receiver.accepted": 90,
        "airflow.lineage.receiver.refused": 4,
        "airflow.lineage.receiver.mean_seconds": 0.005,
        "airflow.lineage.receiver.longest_seconds": 0.07,
        "airflow.lineage.streams.waiting_changes": 23,
        "airflow.lineage.database.bytes": 9_000_000,
        "airflow.lineage.migration.schema-versions.percent": 12.5,
        "airflow.lineage.migration.schema-versions.quarantined": 3,
        "airflow.lineage.normalized.events": 100,
        "airflow.lineage.normalized.quarantined": 2,
        "airflow.lineage.normalized.expired": 1,
        "airflow.lineage.normalized.slices": 4,
        "airflow.lineage.normalized.duration": 6_000,
        "airflow.lineage.normalized.slice_duration": 1_500,
        "airflow.lineage.retention.deleted_rows.runs": 5,
    }


def test_a_run_without_a_slice_has_no_time_of_one(statsd: StatsD) -> None:
    metrics.report_run(vars(NormalizationOutcome(seconds=1.0)))
    assert "airflow.lineage.normalized.slice_duration" not in statsd.received()


def test_a_publication_is_reported_as_counters_and_a_timer(statsd: StatsD) -> None:
    metrics.report_publication(asdict(PublicationOutcome(records=9, parts=2, starting=("runs",), seconds=1.5)))
    assert statsd.received() == {
        "airflow.lineage.published.records": "9|c",
        "airflow.lineage.published.parts": "2|c",
        "airflow.lineage.published.duration": "1500.000000|ms",
        "airflow.lineage.streams.starting": "1|g",
    }


def test_what_retention_freed_is_reported_by_table(statsd: StatsD) -> None:
    report = RetentionReport(1, NOW, {}, None, {"runs": 5, "lineage_events": 40}, {}, "jobs", NOW, NOW)
    metrics.report_retention(report)
    assert statsd.received() == {
        "airflow.lineage.retention.deleted_rows.runs": "5|c",
        "airflow.lineage.retention.deleted_rows.lineage_events": "40|c",
    }


def test_a_store_that_cannot_be_asked_does_not_fail_the_task(
    statsd: StatsD, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_dsn: str) -> StoreStatus:
        raise StoreUnavailable("away")

    monkeypatch.setattr(metrics, "store_status", fail)
    metrics.report_store()
    assert statsd.received() == {"airflow.lineage.spool.bytes": "0|g"}
    assert "are not reported: away" in caplog.text


def test_no_one_asks_the_store_where_no_metrics_are_exported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_dsn: str) -> StoreStatus:
        raise AssertionError("asked")

    monkeypatch.setenv("LINEAGE_DSN", "postgresql://jobs@host/store")
    monkeypatch.setattr(metrics, "store_status", fail)
    metrics.report_store()


def test_the_page_names_each_figure_and_its_type(statsd: StatsD, tmp_path: Path) -> None:
    metrics.report_store()
    metrics.report_run(vars(NormalizationOutcome(events=1, slices=1, seconds=1.0)))
    metrics.report_publication(asdict(PublicationOutcome()))
    metrics.report_retention(RetentionReport(1, NOW, {}, None, {"runs": 5}, {}, "jobs", NOW, NOW))
    page = (PROJECT / "docs" / "how-to" / "watch-the-platform.md").read_text()
    documented = dict(re.findall(r"^\| `(lineage\.[a-zA-Z_.]+)` \| (\w+),", page, re.MULTILINE))
    kinds = {"g": "gauge", "c": "counter", "ms": "timer"}
    sent = {
        name.removeprefix("airflow.").replace("schema-versions", "NAME").replace(".runs", ".TABLE"): kinds[
            value.rpartition("|")[2]
        ]
        for name, value in statsd.received().items()
    }
    assert sent == documented
