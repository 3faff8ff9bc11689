"""What Airflow's events look like when they are stored: shortened where they quote logs, without passwords."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openlineage.client.event_v2 import Job, Run, RunEvent, RunState
from openlineage.client.facet_v2 import RunFacet, error_message_run
from openlineage.client.transport import get_default_factory

from lineage_core.errors import NeedsOperator, StoreUnavailable
from lineage_core.ingest import delivery
from lineage_core.own_lineage.application import KEPT_CHARACTERS
from lineage_core.postgres.store import Store
from lineage_core.transport import PostgresConfig, PostgresTransport, body

DSN = "postgresql://lineage@127.0.0.1:1/lineage"
INGEST_DSN = "postgresql://ingest@127.0.0.1:1/lineage"


def _event(message: str | None = None) -> RunEvent:
    facets: dict[str, RunFacet] = {}
    if message is not None:
        facets["errorMessage"] = error_message_run.ErrorMessageRunFacet(message, "python")
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


def test_a_long_error_in_an_event_from_airflow_keeps_its_end() -> None:
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


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The databases that were asked for; none is there."""

    def refuse(store: Store) -> None:
        asked.append(store.dsn)
        raise StoreUnavailable("away")

    asked: list[str] = []
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path))
    monkeypatch.setattr(delivery, "impatient", refuse)
    return asked


def test_an_event_goes_to_the_database_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, connected: list[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    PostgresTransport(PostgresConfig()).emit(_event())
    assert connected == [DSN]


def test_the_login_for_events_goes_before_the_other(monkeypatch: pytest.MonkeyPatch, connected: list[str]) -> None:
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    monkeypatch.setenv("LINEAGE_INGEST_DSN", INGEST_DSN)
    PostgresTransport(PostgresConfig()).emit(_event())
    assert connected == [INGEST_DSN]


@pytest.mark.parametrize("setting", ["LINEAGE_DSN", "LINEAGE_INGEST_DSN"])
@pytest.mark.parametrize("value", ["", "postgresql://me:k4n@4ry@127.0.0.1:1/lineage"])
def test_what_is_wrong_with_a_database_keeps_no_event_from_being_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, setting: str, value: str
) -> None:
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path))
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    monkeypatch.setenv(setting, value)
    with pytest.raises(NeedsOperator, match=f"^{setting} .*Events wait in") as failure:
        PostgresTransport(PostgresConfig()).emit(_event())
    assert "4ry" not in str(failure.value)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("setting", ["LINEAGE_SPOOL", "LINEAGE_HOME"])
def test_what_is_wrong_with_the_spool_keeps_no_event_from_being_stored(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, setting: str
) -> None:
    stored: list[Store] = []
    monkeypatch.setattr(delivery, "insert_event", lambda store, _raw: stored.append(store))
    monkeypatch.setenv("LINEAGE_DSN", DSN)
    monkeypatch.setenv(setting, "")
    PostgresTransport(PostgresConfig()).emit(_event())
    assert stored == [Store(DSN)]
    assert f"{setting} is set, but empty" in caplog.text


@pytest.mark.parametrize("name", ["lineage_core.transport", "lineage_core.airflow.transport"])
def test_openlineages_client_finds_it_by_either_name(name: str) -> None:
    config: dict[str, Any] = {"type": f"{name}.PostgresTransport", "spool_bytes": 7}
    found = get_default_factory().create(config)
    assert isinstance(found, PostgresTransport)
    assert found.config.spool_bytes == 7


def test_it_needs_no_airflow() -> None:
    code = "import sys, lineage_core.transport; sys.exit('airflow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
