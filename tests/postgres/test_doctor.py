"""Each fault that `lineage doctor` knows, made on purpose, is found and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineage_core import statements
from lineage_core.cli import main
from lineage_core.database.doctor import all_health_checks, examine
from lineage_core.database.health_checks import clock
from lineage_core.long_migrations.store import records
from lineage_core.normalize.run import InProcess, normalize
from lineage_core.postgres.connection import connect
from lineage_core.streams.store import switches
from lineage_core.testing import run_event
from tests.support.stores import put

pytestmark = pytest.mark.postgres


def change(dsn: str, *changes: str) -> None:
    with connect(dsn, autocommit=True) as connection:
        for text in changes:
            connection.execute(text.encode())


def wait_long(dsn: str) -> None:
    put(dsn, [run_event()])
    change(dsn, "UPDATE lineage_events SET created_at = now() - interval '31 minutes'")


def lose_a_month(dsn: str) -> None:
    following = (datetime.now(UTC).replace(day=1) + timedelta(days=31)).strftime("%Y_%m")
    change(dsn, f"DROP TABLE lineage_events_{following}")


def move_elsewhere(dsn: str) -> None:
    normalize(dsn, InProcess())
    change(dsn, "UPDATE watermarks SET system_identifier = system_identifier + 1")


def pause_a_migration(dsn: str) -> None:
    records.plan(dsn, "facets")
    change(dsn, "UPDATE migrations SET state = 'paused'")


def lose_rows_of_a_migration(dsn: str) -> None:
    records.plan(dsn, "facets")
    change(dsn, "INSERT INTO migration_quarantine (migration, key, error) VALUES ('facets', 'k', 'bad')")


def leave_a_stream(dsn: str) -> None:
    switches.start(dsn, "tags")
    change(dsn, "UPDATE streams SET started_at = now() - interval '25 hours'")


FAULTS: dict[str, tuple[str, Callable[[str], None]]] = {
    "lag": ("Events have waited since", wait_long),
    "quarantined": (
        "1 documents are in quarantine",
        lambda dsn: change(
            dsn, "INSERT INTO quarantine (reason, path, raw, source) VALUES ('bad', '$', 'x', 'a test')"
        ),
    ),
    "event_partitions": ("have no partition", lose_a_month),
    "other_cluster": ("made in another cluster", move_elsewhere),
    "stuck_migrations": ("The migration facets is paused", pause_a_migration),
    "unpublished_streams": ("The stream tags is on", leave_a_stream),
    "unfinished_retention": (
        "Retention has not finished since",
        lambda dsn: change(
            dsn,
            "INSERT INTO retention_reports (as_of, plan, deleted, started_at)"
            " VALUES (now(), '{}', '{}', now() - interval '25 hours')",
        ),
    ),
    "schema": (
        "differences from the declarations",
        lambda dsn: change(dsn, "ALTER TABLE jobs ADD COLUMN ours text"),
    ),
}
"""By its check: what is said of it, and how it is made."""

OF_THE_MACHINE = {"clock", "spool", "old_transactions", "server_settings"}
"""Made otherwise, below."""


def found(dsn: str, spool: Path) -> dict[str, str]:
    """But for the settings of the server that all tests use: it does not sync to disk."""
    return {finding.check: finding.what for finding in examine(dsn, spool) if finding.check != "server_settings"}


def test_a_new_store_has_no_fault(database: str, tmp_path: Path) -> None:
    assert found(database, tmp_path) == {}


def test_each_check_has_its_fault_here() -> None:
    assert {check.name for check in all_health_checks()} == FAULTS.keys() | OF_THE_MACHINE


@pytest.mark.parametrize("check", sorted(FAULTS.keys() - OF_THE_MACHINE))
def test_a_fault_is_found_and_named(database: str, tmp_path: Path, check: str) -> None:
    sentence, make = FAULTS[check]
    make(database)
    named = found(database, tmp_path)
    assert set(named) == {check}
    assert sentence in named[check]


def test_rows_of_a_migration_that_need_a_person_are_found(database: str, tmp_path: Path) -> None:
    lose_rows_of_a_migration(database)
    assert found(database, tmp_path) == {"stuck_migrations": "The migration facets has 1 rows in quarantine"}


def in_place_of(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a fault that cannot be made in a test: the check is given another limit."""
    whole = statements.named
    monkeypatch.setattr(statements, "named", lambda path: whole(path).replace(old, new))


def test_a_setting_that_loses_data_is_found(database: str, tmp_path: Path) -> None:
    """The server that all tests use does not sync to disk."""
    assert [finding.what for finding in examine(database, tmp_path)] == ["fsync is off", "full_page_writes is off"]


def test_a_transaction_that_stays_open_is_found(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_place_of("now() - interval '1 hour'", "now()", monkeypatch)
    with connect(database, application_name="a report") as connection:
        connection.execute("SELECT 1")
        named = found(database, tmp_path)
    assert set(named) == {"old_transactions"}
    assert named["old_transactions"].startswith("A transaction of a report has been open since ")


def test_a_clock_that_is_wrong_is_found(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "MOST_SECONDS", -1.0)
    assert found(database, tmp_path)["clock"].startswith("The clock of the server is 0 s ")


def test_events_in_the_spool_are_found_and_need_no_person(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1-2.json").write_text("{}")
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path))
    in_place_of("setting <> 'on'", "false", monkeypatch)
    assert run_command(database, monkeypatch, "--json") == 0
    (finding,) = json.loads(capsys.readouterr().out)
    assert (finding["check"], finding["needs_person"]) == ("spool", False)


def test_the_command_says_what_to_do_and_exits_with_1(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path))
    in_place_of("setting <> 'on'", "false", monkeypatch)
    assert run_command(database, monkeypatch) == 0
    assert "checks found nothing" in capsys.readouterr().out
    wait_long(database)
    assert run_command(database, monkeypatch) == 1
    assert "`lineage normalize` takes them now." in capsys.readouterr().out


def run_command(dsn: str, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setenv("LINEAGE_DSN", dsn)
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *words])
    return int(ended.value.code or 0)
