"""The quarantine at the command line: list, show, retry; and `lineage ingest` beside it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from lineage_core import quarantine
from lineage_core.cli import main
from lineage_core.ingest.store import retry
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, facet, named_job, run_event, to_json, to_ndjson

pytestmark = pytest.mark.postgres

EVENT = to_json(run_event(job=named_job("late")))


class CommandLine:
    """Runs commands on one database, and keeps what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *arguments: str, exit_code: int = 0) -> str:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = self._capsys.readouterr()
        assert ended.value.code == exit_code, printed
        return printed.err if exit_code else printed.out

    def run_json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json"))


@pytest.fixture
def lineage(database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    return CommandLine(capsys)


def put(store: Store, *documents: bytes) -> None:
    with store.connect() as connection:
        quarantine.put(connection, [RefusedDocument(raw, "an old reason", "$.old", "a test") for raw in documents])


def stored_jobs(store: Store) -> list[str]:
    with store.connect() as connection:
        return [name for (name,) in connection.execute("SELECT job_name FROM lineage_events ORDER BY arrival_seq")]


def test_list_as_json_is_an_array_with_the_agreed_members(lineage: CommandLine, database: Store) -> None:
    assert lineage.run_json("quarantine", "list") == []
    put(database, b"broken", b"\xff\x00")
    first, second = lineage.run_json("quarantine", "list")
    assert {"id", "reason", "path", "received_at"} <= first.keys()
    assert (first["reason"], first["path"], first["source"], first["bytes"]) == ("an old reason", "$.old", "a test", 6)
    assert second["id"] > first["id"]


def test_list_tells_each_document_in_a_line(lineage: CommandLine, database: Store) -> None:
    put(database, b"broken", b"worse")
    *lines, total = lineage.run("quarantine", "list").splitlines()
    assert ["a test (6 bytes)  $.old: an old reason" in lines[0], len(lines)] == [True, 2]
    assert total == "2 documents are in quarantine."


def test_show_prints_nothing_that_could_steer_a_terminal(lineage: CommandLine, database: Store) -> None:
    put(database, "é\x1b[31m\u202e\x00\r\n\tnext".encode() + b"\xff")
    (entry,) = quarantine.entries(database)
    shown = lineage.run("quarantine", "show", str(entry.id))
    assert shown.endswith("é\\x1b[31m\\u202e\\x00\\r\n\tnext\\xff\n")


def test_show_raw_gives_the_bytes(lineage: CommandLine, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(database, bytes(range(256)))
    (entry,) = quarantine.entries(database)
    output = io.TextIOWrapper(io.BytesIO(), write_through=True)
    monkeypatch.setattr(sys, "stdout", output)
    lineage.run("quarantine", "show", "--raw", str(entry.id))
    assert output.buffer.getvalue() == bytes(range(256))


def test_retry_moves_what_is_an_event_now_and_tells_what_still_is_none(lineage: CommandLine, database: Store) -> None:
    put(database, EVENT, b"broken", EVENT.replace(b'"job":', b'"extra": 1e400000, "job":'))
    answer = lineage.run("quarantine", "retry", "--all")
    assert stored_jobs(database) == ["late"]
    broken, unstorable = quarantine.entries(database)
    assert (broken.path, broken.reason.startswith("not a JSON document")) == ("$", True)
    assert (unstorable.path, unstorable.reason.startswith("Postgres: ")) == ("$", True)
    assert answer.splitlines()[-1] == "1 ingested, 2 kept."
    assert f"{unstorable.id}  kept  $: Postgres: value overflows numeric format" in answer
    assert lineage.run_json("quarantine", "retry", "--all") == {"ingested": 0, "kept": 2}
    assert stored_jobs(database) == ["late"]


def test_retry_keeps_what_normalization_would_bring_back(lineage: CommandLine, database: Store) -> None:
    put(database, to_json(run_event(inputs=[dataset(facets={"schema": facet(fields=[{"name": 7}])})])))
    assert lineage.run_json("quarantine", "retry", "--all") == {"ingested": 0, "kept": 1}
    (entry,) = quarantine.entries(database)
    assert (entry.path, entry.reason) == ("$.inputs[0].facets.schema.fields[0].name", "Expected `str`, got `int`")


def test_retry_leaves_what_was_not_named(lineage: CommandLine, database: Store) -> None:
    put(database, EVENT, EVENT + b" ")
    first, second = (str(entry.id) for entry in quarantine.entries(database))
    assert lineage.run("quarantine", "retry", second).splitlines() == [f"{second}  ingested", "1 ingested, 0 kept."]
    assert [str(entry.id) for entry in quarantine.entries(database)] == [first]


def test_a_document_is_never_in_both_places(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(database, EVENT)

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lineage_core.ingest.store.Retried", fail)
    with pytest.raises(KeyboardInterrupt):
        list(retry(database))
    assert (stored_jobs(database), len(quarantine.entries(database))) == ([], 1)


@pytest.mark.parametrize(
    "arguments", [("retry",), ("retry", "1", "--all"), ("retry", "77"), ("show", "77"), ("show", "x"), ("unknown",)]
)
def test_a_wrong_call_ends_with_2(lineage: CommandLine, arguments: tuple[str, ...]) -> None:
    assert lineage.run("quarantine", *arguments, exit_code=2)


def test_without_a_store_the_commands_say_how_to_make_one(
    empty_database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", empty_database.dsn)
    for arguments in (["list"], ["show", "1"], ["retry", "--all"]):
        assert "lineage db upgrade" in CommandLine(capsys).run("quarantine", *arguments, exit_code=1)


def test_ingest_tells_what_it_did(lineage: CommandLine, database: Store, tmp_path: Path) -> None:
    file = tmp_path / "events.ndjson"
    file.write_bytes(to_ndjson([run_event(), run_event("COMPLETE")]) + b"broken\n")
    summary = lineage.run_json("ingest", str(file))
    assert (summary["files"], summary["events"], summary["quarantined"]) == (1, 2, 1)
    assert summary["seconds"] > 0
    answer, hint = lineage.run("ingest", str(file), str(file)).splitlines()
    assert answer.startswith("events: 4, quarantined: 2, files: 2, seconds: ")
    assert "lineage quarantine list" in hint
    assert len(stored_jobs(database)) == 6


def test_ingest_of_a_path_that_is_not_there_ends_with_2_before_anything_is_stored(
    lineage: CommandLine, database: Store, tmp_path: Path
) -> None:
    (tmp_path / "events.json").write_bytes(EVENT)
    answer = lineage.run("ingest", str(tmp_path / "events.json"), str(tmp_path / "none.json"), exit_code=2)
    assert "none.json: no such file or folder" in answer
    assert stored_jobs(database) == []
    assert lineage.run("ingest").startswith("events: 0, quarantined: 0, files: 0"), "the spool alone, which is empty"
