"""The transport never loses an event that it was given: away servers, kills at any point, many processes at once."""

from __future__ import annotations

import json
import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from lineage_core import cli, quarantine
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.ingest import delivery
from lineage_core.ingest import ingestion as ingest
from lineage_core.ingest.spool import BLOCK, Spool
from lineage_core.model.arrivals import judge
from lineage_core.postgres.store import Store
from lineage_core.testing import named_job, run_event, to_json
from lineage_core.transport import PostgresConfig, PostgresTransport
from tests.support.spool_processes import drain, emit, put, walk
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

AWAY = "postgresql://ingest@127.0.0.1:1/lineage"
_SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: Store) -> Path:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    monkeypatch.setenv("LINEAGE_SPOOL", str(tmp_path / "spool"))
    return tmp_path / "spool"


def _stored(store: Store) -> list[str]:
    return [name for (name,) in rows(store, "SELECT job_name FROM lineage_events ORDER BY arrival_seq")]


def _waiting(folder: Path) -> list[str]:
    found = []
    for kept in Spool(folder).claimed():
        with kept:
            found.append(json.loads(kept.raw)["job"]["name"])
    return found


def _ingest(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        cli.main(["ingest", "--json", *arguments])
    assert ended.value.code == 0
    summary: dict[str, Any] = json.loads(capsys.readouterr().out)
    return summary


def test_an_event_that_is_stored_leaves_nothing_in_the_spool(database: Store, folder: Path) -> None:
    emit("one")
    assert _stored(database) == ["one"]
    assert list(folder.iterdir()) == []


def test_an_event_waits_while_the_server_is_away_and_the_next_one_takes_it_along(
    database: Store, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as away:
        away.setenv("LINEAGE_DSN", AWAY)
        emit("one")
        emit("two")
    assert "Events wait in" in caplog.text
    assert _waiting(folder) == ["one", "two"]
    emit("three")
    assert _stored(database) == ["three", "one", "two"]
    assert list(folder.iterdir()) == []


def test_an_event_waits_while_the_table_is_locked(
    database: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineage_core.ingest.store.PATIENCE", 1)
    with database.connect() as blocker:
        blocker.execute("LOCK TABLE lineage_events IN ACCESS EXCLUSIVE MODE")
        emit("one")
    assert _waiting(folder) == ["one"]


@pytest.mark.parametrize("dsn", ["", "no DSN at all", "missing store"])
def test_what_only_a_person_can_mend_is_raised_and_the_event_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, empty_database: Store, dsn: str
) -> None:
    if dsn:
        monkeypatch.setenv("LINEAGE_DSN", empty_database.dsn if dsn == "missing store" else dsn)
    else:
        monkeypatch.delenv("LINEAGE_DSN")
    with pytest.raises(NeedsOperator, match="`lineage ingest` stores them"):
        emit("one")
    assert _waiting(folder) == ["one"]


def test_ingest_stores_what_waits_with_files_and_without(
    database: Store, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(folder, "one", "two")
    summary = _ingest(capsys)
    assert (summary["files"], summary["events"], summary["spooled"]) == (0, 2, 2)
    put(folder, "three")
    (tmp_path / "four.json").write_bytes(to_json(run_event(job=named_job("four"))))
    summary = _ingest(capsys, str(tmp_path / "four.json"))
    assert (summary["files"], summary["events"], summary["spooled"]) == (1, 2, 1)
    assert _stored(database) == ["one", "two", "four", "three"]


def test_an_emission_does_not_wait_for_a_long_spool_to_be_empty(
    database: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingest, "SPOOLED_DOCUMENTS", 2)
    monkeypatch.setattr(delivery, "DRAIN_SECONDS", 0)
    put(folder, "one", "two", "three")
    emit("four")
    assert _stored(database) == ["four"]
    assert len(_waiting(folder)) == 3


def test_what_is_no_event_goes_to_quarantine_and_half_a_document_with_it(
    database: Store, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Spool(folder).put(b'{"eventTime": "today"}'):
        pass
    (folder / "1-abandoned.part").write_bytes(b'{"half')
    summary = _ingest(capsys)
    assert (summary["events"], summary["quarantined"], summary["spooled"]) == (0, 2, 2)
    raw = {quarantine.raw(database, entry.id) for entry in quarantine.entries(database)}
    assert raw == {b'{"eventTime": "today"}', b'{"half'}
    assert list(folder.iterdir()) == []


def test_one_that_cannot_be_stored_by_a_fault_of_ours_stays_and_the_others_go(
    database: Store,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def judge_with_a_fault(raw: bytes, source: str) -> Any:
        if b"two" in raw:
            raise RuntimeError("a fault of ours")
        return judge(raw, source)

    put(folder, "one", "two", "three")
    monkeypatch.setattr(ingest, "judge", judge_with_a_fault)
    assert _ingest(capsys)["spooled"] == 2
    assert _stored(database) == ["one", "three"]
    assert _waiting(folder) == ["two"]
    assert "stays in the spool" in caplog.text


def test_a_full_spool_lets_events_through_to_the_server_and_is_emptied(
    database: Store, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(folder, "one", "two")
    emit("three", PostgresConfig(2 * BLOCK))
    assert _stored(database) == ["three", "one", "two"]
    assert "is full" in caplog.text


def test_an_event_that_can_be_neither_stored_nor_kept_is_lost_aloud(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", AWAY)
    put(folder, "one", "two")
    with pytest.raises(NeedsOperator, match=r"(?s)An event is lost: .* is full"):
        emit("three", PostgresConfig(2 * BLOCK))
    assert _waiting(folder) == ["one", "two"]


@pytest.mark.parametrize("size", ["1 GB", -1, None])
def test_a_bound_that_is_no_number_of_bytes_is_refused(size: object) -> None:
    with pytest.raises(WrongUsage, match="spool_bytes"):
        PostgresConfig.from_dict({"type": "x", "spool_bytes": size})


def test_the_bound_of_the_spool_is_an_option_of_the_transport() -> None:
    assert PostgresTransport.config_class.from_dict({"type": "x", "spool_bytes": 7}).spool_bytes == 7


def test_many_that_empty_the_spool_at_once_store_everything(database: Store, folder: Path) -> None:
    names = [f"job {number}" for number in range(400)]
    put(folder, *names)
    drainers = [_SPAWN.Process(target=emit, args=(f"drainer {number}",)) for number in range(4)]
    for drainer in drainers:
        drainer.start()
    for drainer in drainers:
        drainer.join()
    assert [drainer.exitcode for drainer in drainers] == [0] * 4
    drain(database, folder)
    stored = _stored(database)
    assert len(stored) == len(set(stored)) == 404
    assert list(folder.iterdir()) == []


def test_an_emission_that_is_killed_anywhere_loses_nothing_that_it_has_kept(database: Store, folder: Path) -> None:
    calls = walk("emit", "emitted")
    kept = calls.index("write") + 1
    drain(database, folder)
    assert set(_stored(database)) >= {f"emitted {number}" for number in range(kept, len(calls))}
    assert {"fsync", "rename", "unlink"} <= set(calls[kept:])


def test_an_emptying_that_is_killed_anywhere_loses_nothing(database: Store, folder: Path) -> None:
    names = [f"job {number}" for number in range(3)]
    calls = walk("drain", *names)
    assert {"open", "flock", "unlink", "close"} <= set(calls)
    drain(database, folder)
    wanted = {f"{name} {number}" for number in range(len(calls)) for name in names}
    assert set(_stored(database)) >= wanted
    assert list(folder.iterdir()) == []
