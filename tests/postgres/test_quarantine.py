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
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.event_choices import interval
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset, facet, named_job, run_event, to_json, to_ndjson
from tests.support.stores import rows, take_in

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
    put_for(store, "an old reason", "$.old", *documents)


def put_for(store: Store, reason: str, path: str, *documents: bytes) -> None:
    with store.connect() as connection:
        quarantine.put(connection, [RefusedDocument(raw, reason, path, "a test") for raw in documents])


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
    assert total.startswith("2 documents are in quarantine. ")


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
    assert answer.splitlines()[-2] == "1 ingested, 2 kept."
    assert f"{unstorable.id}  kept  $: Postgres: value overflows numeric format" in answer
    assert lineage.run_json("quarantine", "retry", "--all") == {"ingested": 0, "kept": 2}
    assert stored_jobs(database) == ["late"]


def test_retry_keeps_what_normalization_would_bring_back(lineage: CommandLine, database: Store) -> None:
    put(database, to_json(run_event(inputs=[dataset(facets={"schema": facet(fields=[{"name": 7}])})])))
    assert lineage.run_json("quarantine", "retry", "--all") == {"ingested": 0, "kept": 1}
    (entry,) = quarantine.entries(database)
    assert (entry.path, entry.reason) == ("$.inputs[0].facets.schema.fields[0].name", "Expected `str`, got `int`")


def test_documents_are_counted_by_reason_with_what_helps(lineage: CommandLine, database: Store) -> None:
    put_for(database, "Expected `str`, got `int`", "$.inputs[0].name", b"a", b"b")
    put_for(database, "Expected `str`, got `int`", "$.inputs[7].name", b"c")
    put_for(database, "not JSON: 7 at 9", "$", b"d")
    put_for(database, "It cannot be staged: E\nin a line", "$", b"e")
    found = lineage.run_json("quarantine", "list", "--by-reason")
    assert [(one["reason"], one["path"], one["documents"], one["bytes"]) for one in found] == [
        ("Expected `str`, got `int`", "$.inputs[…].name", 3, 3),
        ("It cannot be staged: E", "$", 1, 1),
        ("not JSON: … at …", "$", 1, 1),
    ]
    producer, failure, damage = (one["advice"] for one in found)
    assert "Repair the producer" in producer
    assert "`retry` takes them in" in failure
    assert "`retry` cannot help" in damage
    *_, last = lineage.run("quarantine", "list", "--by-reason").splitlines()
    assert last == "5 documents are in quarantine."


def test_what_is_discarded_is_counted_and_never_comes_back(lineage: CommandLine, database: Store) -> None:
    event = run_event(inputs=[dataset(facets={"schema": facet(fields=[{"name": 7}])})])
    take_in(database, [event])
    put(database, b"broken", b"worse")
    faulty, broken, worse = (entry.id for entry in quarantine.entries(database))
    assert "1 document discarded" in lineage.run("quarantine", "discard", str(faulty), "--why", "a trial")
    by_reason = ("quarantine", "discard", "--reason", "an old reason", "--why", "no events")
    assert "2 documents would be discarded" in lineage.run(*by_reason)
    assert [entry.id for entry in quarantine.entries(database)] == [broken, worse]
    assert lineage.run_json(*by_reason, "--yes") == {"documents": [broken, worse], "discarded": True}
    assert "quarantine     0 documents; 3 discarded" in lineage.run("status")
    put(database, b"broken")
    assert normalize(database, SerialRunner(), interval=interval()).quarantined == 1
    assert quarantine.entries(database) == []
    kept = rows(database, "SELECT document, reason, bytes, why, discarded_by = session_user FROM discarded_documents")
    assert (broken, "an old reason", 6, "no events", True) in kept


def test_nothing_is_discarded_if_one_document_is_not_there(lineage: CommandLine, database: Store) -> None:
    put(database, b"broken")
    (entry,) = quarantine.entries(database)
    assert "number 77" in lineage.run("quarantine", "discard", str(entry.id), "77", "--why", "w", exit_code=2)
    for wrong in ([str(entry.id), "--why", " "], ["--why", "w"], ["--reason", "unknown", "--why", "w"]):
        lineage.run("quarantine", "discard", *wrong, exit_code=2)
    assert quarantine.entries(database) == [entry]


def test_documents_are_exported_byte_for_byte(lineage: CommandLine, database: Store, tmp_path: Path) -> None:
    put(database, EVENT, bytes(range(256)))
    whole, other = (entry.id for entry in quarantine.entries(database))
    answer = lineage.run("quarantine", "export", "--reason", "an old reason", "--to", str(tmp_path / "out"))
    assert answer.startswith("2 documents written to ")
    assert (tmp_path / "out" / f"{other}.json").read_bytes() == bytes(range(256))
    *_, last = (tmp_path / "out" / "reasons.csv").read_text().splitlines()
    assert last.startswith(f"{other}.json,an old reason,$.old,a test,")
    missing = lineage.run("quarantine", "export", str(whole), "77", "--to", str(tmp_path / "out"), exit_code=2)
    assert "number 77" in missing
    (tmp_path / "out" / f"{other}.json").unlink()
    assert lineage.run_json("ingest", str(tmp_path / "out"))["events"] == 1
    assert [entry.id for entry in quarantine.entries(database)] == [whole, other]


def test_a_named_file_without_an_event_is_refused_before_anything_is_kept(
    lineage: CommandLine, database: Store, tmp_path: Path
) -> None:
    (tmp_path / "events.json").write_bytes(EVENT)
    (tmp_path / "notes.md").write_text("# Notes\n\n- one\n- two\n")
    (tmp_path / "package.json").write_text(json.dumps({"name": "package"}))
    (tmp_path / "cut.json").write_bytes(EVENT[:-9])
    (tmp_path / "empty.json").touch()
    for name in ("notes.md", "package.json"):
        refusal = lineage.run("ingest", str(tmp_path / "events.json"), str(tmp_path / name), exit_code=2)
        assert f"{name} holds no OpenLineage event, so nothing was stored." in refusal
    assert (stored_jobs(database), quarantine.entries(database)) == ([], [])
    files = [str(tmp_path / name) for name in ("events.json", "cut.json", "empty.json")]
    summary = lineage.run_json("ingest", *files)
    assert (summary["events"], summary["quarantined"]) == (1, 1)


def test_retry_leaves_what_was_not_named(lineage: CommandLine, database: Store) -> None:
    put(database, EVENT, EVENT + b" ")
    first, second = (str(entry.id) for entry in quarantine.entries(database))
    assert lineage.run("quarantine", "retry", second).splitlines() == [f"{second}  ingested", "1 ingested, 0 kept."]
    assert [str(entry.id) for entry in quarantine.entries(database)] == [first]


def test_a_document_is_never_in_both_places(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(database, EVENT)

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lineage_core.ingest.store.RetryOutcome", fail)
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
