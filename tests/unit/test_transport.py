"""What Airflow's events look like when they are stored: shortened where they quote logs, without passwords."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openlineage.client.event_v2 import Job, Run, RunEvent, RunState
from openlineage.client.facet_v2 import error_message_run
from openlineage.client.transport import Config

from lineage_core.airflow import transport
from lineage_core.airflow.transport import KEPT_CHARACTERS, PostgresTransport, body
from lineage_core.errors import NeedsOperator, StoreUnavailable

DSN = "postgresql://lineage@127.0.0.1:1/lineage"
INGEST_DSN = "postgresql://ingest@127.0.0.1:1/lineage"


def _event(message: str | None = None) -> RunEvent:
    facets = {} if message is None else {"errorMessage": error_message_run.ErrorMessageRunFacet(message, "python")}
    return RunEvent(
        eventType=RunState.FAIL,
        eventTime="2026-11-20T06:00:00.123456+00:00",
        run=Run("01941e0d-5b1c-7c6e-8a2b-3f5b6d7e8f90", facets=facets),
        job=Job("airflow", "normalize_lineage.normalize"),
        producer="https://example.org/producer",
    )


def _message(event: RunEvent) -> str:
    message: str = json.loads(body(event))["run"]["facets"]["errorMessage"]["message"]
    return message


def test_an_event_is_stored_as_it_is() -> None:
    stored = json.loads(body(_event()))
    assert stored["eventTime"] == "2026-11-20T06:00:00.123456+00:00"
    assert stored["run"]["runId"] == "01941e0d-5b1c-7c6e-8a2b-3f5b6d7e8f90"
    assert stored["job"]["name"] == "normalize_lineage.normalize"


def test_a_long_error_keeps_its_end() -> None:
    message = _message(_event("x" * 10 * KEPT_CHARACTERS + " the cause"))
    assert message.endswith(" the cause")
    assert len(message) == KEPT_CHARACTERS


def test_a_short_error_is_kept_whole() -> None:
    assert _message(_event("Error code is: 3.")) == "Error code is: 3."


@pytest.mark.parametrize(
    "address",
    ["postgresql://lineage:hunter2@db:5432/lineage", "postgresql+psycopg://:hunter2@db/x", "https://me:hunter2@h/p"],
)
def test_a_password_in_an_address_does_not_get_in(address: str) -> None:
    message = _message(_event(f"spark-submit job.py {address} failed"))
    assert "hunter2" not in message
    assert "@" in message


def test_an_event_goes_to_the_database_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    inserted: list[tuple[str, Any]] = []
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    monkeypatch.setattr(transport, "insert_event", lambda dsn, document: inserted.append((dsn, json.loads(document))))
    PostgresTransport(Config()).emit(_event())
    assert [(dsn, event["eventType"]) for dsn, event in inserted] == [(DSN, "FAIL")]


def test_the_login_for_events_goes_before_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    monkeypatch.setenv("LINEAGE_INGEST_DSN", INGEST_DSN)
    monkeypatch.setattr(transport, "insert_event", lambda dsn, _document: used.append(dsn))
    PostgresTransport(Config()).emit(_event())
    assert used == [INGEST_DSN]


def test_without_a_database_the_event_is_refused_aloud() -> None:
    with pytest.raises(NeedsOperator, match="LINEAGE_DSN"):
        PostgresTransport(Config()).emit(_event())


def test_an_unreachable_database_is_told_within_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    with pytest.raises(StoreUnavailable):
        PostgresTransport(Config()).emit(_event())
