"""`lineage status` shows what waits, who works, and what needs a look."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from lineage_core.cli import main
from lineage_core.ingest.operation import ARRIVALS, Arrivals
from lineage_core.ingest.store import insert_event
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.operation import NORMALIZATION, WAITING
from lineage_core.normalize.store.event_choices import WATERMARK, interval
from lineage_core.openlineage.instants import microseconds
from lineage_core.operate.whole_store import store_status
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.tasks import SerialRunner
from lineage_core.testing import Document, run_event, to_json
from tests.support.servers import jobs_login
from tests.support.stores import put, rows

pytestmark = pytest.mark.postgres


def events(number: int, *, time: datetime | None = None) -> list[Document]:
    happened = time or datetime.now(UTC)
    return [run_event(run_id=f"0190a0a0-0000-7000-8000-{run:012}", time=happened) for run in range(number)]


def shown(store: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    monkeypatch.setenv("LINEAGE_DSN", store.dsn)
    with pytest.raises(SystemExit) as ended:
        main(["status", *words])
    assert not ended.value.code
    return capsys.readouterr().out


def test_a_new_store_has_nothing_to_show(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(database, monkeypatch, capsys).splitlines()
    assert lines[:6] == [
        "waiting        nothing",
        "normalization  not at work; has never run",
        "arrivals       0 in the last hour, 0 in the last day",
        "receiver       not at work; 0 accepted and 0 refused since the last full hour began",
        "quarantine     0 documents",
        "schema changes 0 broke a rule",
    ]
    assert lines[6] == "retention      was never applied"


def test_what_waits_is_counted_until_it_is_normalized(database: Store) -> None:
    for event in events(3):
        insert_event(database, to_json(event))
    before = store_status(database)
    assert (before[WAITING].events, before[ARRIVALS].last_hour, before[NORMALIZATION].moved_at) == (3, 3, None)
    assert before[WAITING].since is not None
    assert before[WAITING].bytes > 0
    normalize(database, SerialRunner())
    after = store_status(database)
    assert (after[WAITING].events, after[WAITING].since, after[ARRIVALS].last_day) == (0, None, 3)
    assert after[NORMALIZATION].moved_at is not None


def test_a_store_far_behind_says_so_soon(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lineage_core.normalize.operation.MOST_WAITING", 2)
    put(database, events(3))
    assert shown(database, monkeypatch, capsys).startswith("waiting        at least 2 events, 0.0 MB; arrived since ")


def test_what_arrived_first_is_found_among_more_than_is_looked_at(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineage_core.normalize.operation.MOST_WAITING", 1)
    now = datetime.now(UTC)
    for event in (*events(1, time=now), *events(3, time=now - timedelta(days=40))):  # in partitions of two months
        insert_event(database, to_json(event))
    arrived = rows(database, "SELECT created_at FROM lineage_events ORDER BY arrived_xid, arrival_seq")
    assert len(set(arrived)) == 4
    assert store_status(database)[WAITING].since == arrived[0][0]
    normalize(database, SerialRunner(), interval=interval(microseconds(now), microseconds(now) + 1, ()))
    assert store_status(database)[WAITING].since == arrived[1][0], "the first one is in the tables by now"


def test_arrivals_are_counted_by_when_they_were_received(database: Store) -> None:
    now = datetime.now(UTC)
    assert store_status(database)[ARRIVALS] == Arrivals(0, 0)
    for days in (30, 3, 2):
        put(database, events(2, time=now), received_at=(now - timedelta(days=days)).isoformat())
    assert store_status(database)[ARRIVALS] == Arrivals(0, 0)
    put(database, events(3, time=now - timedelta(days=400)), received_at=(now - timedelta(hours=3)).isoformat())
    put(database, events(1, time=now - timedelta(days=40)), received_at=now.isoformat())
    assert store_status(database)[ARRIVALS] == Arrivals(1, 4)


def test_who_is_at_work_is_named(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with held_lease(database, WATERMARK):
        holder = store_status(database)[NORMALIZATION].holder
        assert holder
        assert f"at work: {holder}" in shown(database, monkeypatch, capsys)
    assert store_status(database)[NORMALIZATION].holder is None


def test_quarantine_and_retention_are_shown(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with database.connect() as connection:
        connection.execute("INSERT INTO quarantine (reason, path, raw, source) VALUES ('bad', '$', 'x', 'a test')")
    retention.apply(database, retention.plan(database, datetime.now(UTC)))
    lines = shown(database, monkeypatch, capsys).splitlines()
    assert any(line.startswith("quarantine     1 document, the last ") for line in lines)
    assert any(line.startswith("retention      0 rows deleted ") for line in lines)


def test_json_has_it_all_and_the_role_of_jobs_is_enough(
    postgres_server: Server, database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put(database, events(1))
    found = json.loads(shown(jobs_login(postgres_server, database), monkeypatch, capsys, "--json"))
    assert found["waiting"]["events"] == 1
    assert set(found) == {
        "waiting",
        "normalization",
        "arrivals",
        "receiver",
        "quarantine",
        "schema_changes",
        "migrations",
        "retention",
        "database_bytes",
    }
