"""Commands that take long show how far they are, by the one way that all share."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from lineage_core.cli import main
from lineage_core.command_line import progress
from lineage_core.normalize import operation
from lineage_core.normalize.operation import waiting_events
from lineage_core.postgres.store import Store
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, run_event
from tests.support.stores import put, take_in

pytestmark = pytest.mark.postgres

EVENTS = [
    run_event("COMPLETE", run_id=f"0190a0a0-0000-7000-8000-{number:012}", time=TIME + timedelta(seconds=number))
    for number in range(20)
]


@pytest.fixture(autouse=True)
def _each_step_is_shown(monkeypatch: pytest.MonkeyPatch, database: Store) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 0)
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)


def _written(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert not ended.value.code
    return capsys.readouterr().err


def test_ingest_shows_the_bytes_that_it_has_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "events.ndjson"
    file.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    assert "ingest: 0.0 of 0.0 MB, " in _written(capsys, "ingest", str(file))
    assert _written(capsys, "ingest", "--json", str(file)) == ""


def test_emit_shows_the_events_that_are_through(
    database: Store, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    put(database, EVENTS)
    settings = tmp_path / "openlineage.yml"
    settings.write_text(f"transport:\n  type: file\n  log_file_path: {tmp_path / 'sent.ndjson'}\n  append: true\n")
    assert "emit: 20 events, " in _written(capsys, "emit", "--transport", str(settings), "--as", "x")


def test_retention_shows_the_rows_that_have_gone(database: Store, capsys: pytest.CaptureFixture[str]) -> None:
    take_in(database, EVENTS)
    policies.set_policy(database, Policy(PolicyKind.RUNS, "*", timedelta(hours=1), None))
    assert "retention: " in _written(capsys, "retention", "apply", "--yes")


def test_what_a_run_is_to_take_in_is_counted_unless_it_is_too_much(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(database, EVENTS)
    assert waiting_events(database) == 20
    monkeypatch.setattr(operation, "MOST_COUNTED", 20)
    assert waiting_events(database) is None
