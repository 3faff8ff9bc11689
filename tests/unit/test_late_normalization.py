"""What is reported of a normalization that is late, whatever the store says."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from unittest.mock import MagicMock

import pytest
from airflow.models.dagrun import DagRun

from lineage_core.airflow import late_normalization
from lineage_core.airflow.deadlines import RunQueued
from lineage_core.errors import StoreUnavailable
from lineage_core.normalize.operation import NORMALIZATION, WAITING, Normalization, WaitingEvents
from lineage_core.operate.whole_store import StoreStatus

SINCE = datetime(2026, 11, 21, 6, tzinfo=UTC)
DAG_RUN = {"dag_id": "normalize_lineage", "dag_run_id": "scheduled__1"}
CONTEXT = {"dag_run": DAG_RUN, "deadline": {"id": "1"}}
LATE = "The run scheduled__1 of normalize_lineage has not ended 0:30:00 after it was queued. "


def status(waiting: WaitingEvents, holder: str | None) -> StoreStatus:
    return {WAITING: waiting, NORMALIZATION: Normalization(None, holder)}


@pytest.fixture(autouse=True)
def _dsn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGE_DSN", "postgresql://jobs@host/store")


def alert(monkeypatch: pytest.MonkeyPatch, found: StoreStatus | Exception) -> str:
    def ask(_dsn: str, _topics: object) -> StoreStatus:
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(late_normalization, "store_status", ask)
    return asyncio.run(late_normalization.report(CONTEXT))


def test_it_says_which_run_is_late_and_what_waits(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = status(WaitingEvents(10_001, 5, SINCE, is_more=True), "a host, 7")
    sentence = alert(monkeypatch, found)
    assert sentence == f"{LATE}At least 10,001 events wait since {SINCE}; a host, 7 is at work."
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert sentence in record.getMessage()
    assert "What to do stands on Airflow's page of the DAG normalize_lineage;" in record.getMessage()


def test_where_airflow_knows_its_address_the_log_has_that_of_the_page(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("AIRFLOW__API__BASE_URL", "https://airflow.example/")
    alert(monkeypatch, status(WaitingEvents(0, 0, None, is_more=False), None))
    assert "stands on https://airflow.example/dags/normalize_lineage; `lineage doctor`" in caplog.text


@pytest.mark.parametrize(("run_type", "since"), [("scheduled", SINCE), ("manual", SINCE), ("backfill", None)])
def test_a_run_has_a_deadline_from_when_it_was_queued_but_one_of_a_backfill_has_none(
    run_type: str, since: datetime | None
) -> None:
    session = MagicMock()
    session.query.return_value.filter.return_value.one.return_value = DagRun(run_type=run_type, queued_at=SINCE)
    found = RunQueued()._evaluate_with(session=session, dag_id="normalize_lineage", run_id="a run")
    assert found == since


def test_nothing_may_wait_and_no_one_be_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    found = status(WaitingEvents(0, 0, None, is_more=False), None)
    assert alert(monkeypatch, found) == f"{LATE}No events wait; no run is at work."


def test_a_store_that_cannot_be_asked_does_not_silence_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alert(monkeypatch, StoreUnavailable("away")) == f"{LATE}The store cannot be asked: away."


def test_a_triggerer_without_the_store_tells_it_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LINEAGE_DSN")
    assert asyncio.run(late_normalization.report(CONTEXT)) == f"{LATE}LINEAGE_DSN is not set in the triggerer."
