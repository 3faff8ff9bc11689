"""Ingest into a real Postgres: every form, what Postgres refuses, the rights it takes, what an end midway leaves."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest

from lineage_core import cli, quarantine
from lineage_core.errors import NeedsOperator, SchemaDiffers, StoreUnavailable, WrongUsage
from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import IngestOutcome, ingest
from lineage_core.ingest.store import insert_event, store
from lineage_core.model.arrivals import judge
from lineage_core.postgres.store import Store
from lineage_core.testing import (
    Document,
    dataset,
    dataset_event,
    facet,
    job_event,
    named_job,
    run_event,
    to_json,
    to_ndjson,
)

pytestmark = pytest.mark.postgres

SHARED = Path(__file__).parents[3] / "shared" / "data"
NAMES = ["zählen", "注文", "طلبات", "заказы", "🌳.🌲", "a'b\"c\\d", "tab\there", "\u202ereversed", "é"]
Rows = list[tuple[Any, ...]]


def select(store: Store, query: LiteralString, *values: object) -> Rows:
    with store.connect() as connection:
        return connection.execute(query, values).fetchall()


def events_named(count: int) -> list[Document]:
    return [run_event(job=named_job(f"job {number}"), inputs=[dataset()]) for number in range(count)]


def ingest_paths(store: Store, *paths: Path | str) -> IngestOutcome:
    return ingest(store, event_files.find(str(path) for path in paths))


def stored_jobs(store: Store) -> list[str]:
    return [name for (name,) in select(store, "SELECT job_name FROM lineage_events ORDER BY arrival_seq")]


FORMS: dict[str, Callable[[Sequence[Document]], bytes]] = {
    "a document a line": to_ndjson,
    "an array": lambda events: json.dumps(events).encode(),
    "an array over several lines": lambda events: json.dumps(events, indent=2).encode(),
    "documents over several lines": lambda events: "\n".join(json.dumps(event, indent=2) for event in events).encode(),
    "a document a line, gzip": lambda events: gzip.compress(to_ndjson(events)),
    "two gzip streams in one file": lambda events: (
        gzip.compress(to_ndjson(events[:3])) + gzip.compress(to_ndjson(events[3:]))
    ),
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_every_form_stores_every_event_in_its_order(database: Store, tmp_path: Path, form: str) -> None:
    events = events_named(7)
    (tmp_path / "events").write_bytes(FORMS[form](events))
    summary = ingest_paths(database, tmp_path / "events")
    assert (summary.files, summary.events, summary.quarantined) == (1, 7, 0)
    assert [row for (row,) in select(database, "SELECT event FROM lineage_events ORDER BY arrival_seq")] == events


def test_folders_are_read_at_any_depth_and_other_files_are_left(database: Store, tmp_path: Path) -> None:
    names = ["a.json", "b/c.ndjson", "b/d/e.JSONL", "b/d/f.json.gz", "notes.txt", "g.json.part"]
    for name, event in zip(names, events_named(6), strict=True):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        content = to_ndjson([event])
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert ingest_paths(database, tmp_path).files == 4
    assert stored_jobs(database) == ["job 0", "job 1", "job 2", "job 3"]
    assert ingest_paths(database, tmp_path / "notes.txt").events == 1


def test_standard_input_is_read(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    content = gzip.compress(to_ndjson(events_named(3)))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content))))
    assert ingest_paths(database, "-").events == 3


def test_content_comes_out_as_it_went_in(database: Store) -> None:
    written = {
        "large": "1e400",
        "long": "12345678901234567890",
        "zeros": "1.10",
        "small": "-1E-7",
        "precise": "0.1000000000000000055511151231257827",
    }
    text = to_json(run_event(facets={"exact": facet(value="@")})).replace(
        b'"@"',
        ("{" + ", ".join(f'"{key}": {number}' for key, number in written.items()) + ', "unKnown_Key": null}').encode(),
    )
    insert_event(database, text)
    query = "SELECT key, value FROM lineage_events, jsonb_each_text(event #> '{run,facets,exact,value}')"
    found: dict[str, str | None] = dict(select(database, query))
    assert found.pop("unKnown_Key") is None
    assert found == written | {"large": "1" + "0" * 400, "small": "-0.0000001"}


def test_of_a_key_that_stands_twice_the_last_counts(database: Store) -> None:
    insert_event(database, b'{"producer": "first", ' + to_json(run_event())[1:])
    ((column, member),) = select(database, "SELECT producer, event ->> 'producer' FROM lineage_events")
    assert column == member == "https://producer.example/1.0"


def test_names_in_any_script_are_stored(database: Store) -> None:
    for name in NAMES:
        insert_event(database, to_json(run_event(job=named_job(name, f"namespace {name}"))))
    query = "SELECT job_name, job_namespace, event #>> '{job,name}' FROM lineage_events ORDER BY arrival_seq"
    assert select(database, query) == [(name, f"namespace {name}", name) for name in NAMES]


def test_each_kind_of_event_fills_the_columns_that_marquez_fills(database: Store) -> None:
    run_id = "0190a0a0-0000-7000-8000-000000000009"
    for event in (
        run_event("complete", run_id=run_id, time="2026-03-04T05:06:07.1234567+02:00"),
        run_event(None, run_id="not a uuid"),
        job_event() | {"eventType": "START"},
        dataset_event(),
    ):
        insert_event(database, to_json(event))
    query = """
        SELECT _event_type, event_type, job_namespace, job_name, run_uuid::text, event_time::text, producer
        FROM lineage_events ORDER BY arrival_seq
    """
    at, producer = "2026-01-01 00:00:00+00", "https://producer.example/1.0"
    derived = str(UUID(bytes=hashlib.md5(b"not a uuid").digest(), version=3))
    assert select(database, query) == [
        ("RUN_EVENT", "complete", "shop", "load", run_id, "2026-03-04 03:06:07.123457+00", producer),
        ("RUN_EVENT", "", "shop", "load", derived, at, producer),
        ("JOB_EVENT", None, "shop", "load", None, at, producer),
        ("DATASET_EVENT", None, None, None, None, at, producer),
    ]


REFUSED_BY_POSTGRES = [
    (b"1e400000", "value overflows numeric format"),
    (b"[1, -1E+2000000]", "value overflows numeric format"),
]


@pytest.mark.parametrize(("value", "reason"), REFUSED_BY_POSTGRES)
@pytest.mark.parametrize("offenders", [{0}, {49}, {0, 1, 24, 25, 49}, set(range(0, 50, 2)), set(range(50))])
def test_what_postgres_refuses_costs_nothing_else(
    database: Store, tmp_path: Path, offenders: set[int], value: bytes, reason: str
) -> None:
    lines = [to_json(event) for event in events_named(50)]
    for number in offenders:
        lines[number] = lines[number].replace(b'"job":', b'"extra": ' + value + b', "job":')
    (tmp_path / "events.ndjson").write_bytes(b"\n".join(lines))
    summary = ingest_paths(database, tmp_path / "events.ndjson")
    assert (summary.events, summary.quarantined) == (50 - len(offenders), len(offenders))
    assert stored_jobs(database) == [f"job {number}" for number in range(50) if number not in offenders]
    kept = select(database, "SELECT raw, reason, source FROM quarantine ORDER BY id")
    assert [raw for raw, _, _ in kept] == [lines[number] for number in sorted(offenders)]
    assert all(reason in why and why.startswith("Postgres: ") for _, why, _ in kept)
    assert [source.split(", ")[1] for *_, source in kept] == [f"line {number + 1}" for number in sorted(offenders)]


@pytest.mark.parametrize("place", [b'"job":', b'"name":', b'"_producer":'])
def test_what_is_not_utf_8_is_kept(database: Store, tmp_path: Path, place: bytes) -> None:
    good = to_json(run_event(inputs=[dataset(facets={"any": facet()})]))
    broken = good.replace(place, b'"extra": "caf\xe9", ' + place)
    (tmp_path / "latin.ndjson").write_bytes(good + b"\n" + broken)
    assert ingest_paths(database, tmp_path / "latin.ndjson").events == 1
    (entry,) = quarantine.entries(database)
    assert ("not UTF-8" in entry.reason, quarantine.raw(database, entry.id)) == (True, broken)


def test_what_is_no_event_is_kept_with_reason_and_place(database: Store, tmp_path: Path) -> None:
    lines = [
        b"no JSON",
        b'{"eventTime": 7}',
        b"[1, 2]",
        to_json(run_event(job={"namespace": "n"})),
        to_json(run_event()),
    ]
    (tmp_path / "mixed.ndjson").write_bytes(b"\n".join(lines))
    summary = ingest_paths(database, tmp_path / "mixed.ndjson")
    assert (summary.events, summary.quarantined) == (1, 4)
    kept = {entry.source.split(", ")[1]: entry for entry in quarantine.entries(database)}
    assert {place: (entry.path, quarantine.raw(database, entry.id)) for place, entry in kept.items()} == {
        "line 1": ("$", lines[0]),
        "line 2": ("$.eventTime", lines[1]),
        "line 3": ("$", lines[2]),
        "line 4": ("$.job", lines[3]),
    }
    assert kept["line 4"].reason == "Object missing required field `name`"


def test_to_ingest_a_file_again_brings_the_events_again_and_the_refused_once(database: Store, tmp_path: Path) -> None:
    (tmp_path / "events.json").write_bytes(to_ndjson(events_named(2)) + b"broken\n")
    first, second = (ingest_paths(database, tmp_path / "events.json") for _ in range(2))
    assert (first.events, first.quarantined) == (second.events, second.quarantined) == (2, 1)
    assert stored_jobs(database) == ["job 0", "job 1"] * 2
    assert len(quarantine.entries(database)) == 1


def test_the_role_that_ingests_needs_no_other_right(database: Store) -> None:
    good, refused, unstorable = (
        to_json(run_event()),
        b"broken",
        to_json(run_event()).replace(b'"job":', b'"extra": "\\u0000", "job":'),
    )
    with database.connect(role="lineage_ingest", autocommit=True) as connection:
        for _ in range(2):
            assert store(connection, [judge(raw, "test") for raw in (good, refused, unstorable)]) == 2
        for table in ("lineage_events", "quarantine"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"SELECT 1 FROM {table}")
    assert len(stored_jobs(database)) == 2
    assert len(quarantine.entries(database)) == 2


def test_a_role_without_the_right_learns_which_it_needs(database: Store) -> None:
    with (
        database.connect(role="lineage_reader", autocommit=True) as connection,
        pytest.raises(NeedsOperator, match="lineage_ingest"),
    ):
        store(connection, [judge(to_json(run_event()), "test")])


def test_a_batch_that_fails_leaves_nothing_of_itself(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineage_core.ingest.ingestion.BATCH_DOCUMENTS", 2)
    (tmp_path / "events.ndjson").write_bytes(to_ndjson(events_named(3)) + b"broken\n")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("lineage_core.quarantine.store._values", fail)
        ingest_paths(database, tmp_path / "events.ndjson")
    assert stored_jobs(database) == ["job 0", "job 1"]


def test_what_stands_before_damage_in_gzip_is_stored(database: Store, tmp_path: Path) -> None:
    content = gzip.compress(to_ndjson(events_named(2000)))
    (tmp_path / "cut.gz").write_bytes(content[: len(content) // 2])
    (unreadable,) = ingest_paths(database, tmp_path / "cut.gz").unreadable
    assert "cut.gz: its gzip stream is damaged" in str(unreadable)
    jobs = stored_jobs(database)
    assert len(jobs) > 500
    assert jobs == [f"job {number}" for number in range(len(jobs))]


def test_what_cannot_be_read_in_a_folder_is_named_and_the_rest_is_stored(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No link, pipe or damage of one file ends the command, hangs it, or lets it say that all is well."""
    content = gzip.compress(to_ndjson(events_named(2000)))
    (tmp_path / "a-cut.json.gz").write_bytes(content[: len(content) // 2])
    (tmp_path / "b-broken.json").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "c-pipe.json")
    (tmp_path / "d-good.json").write_bytes(to_json(run_event(job=named_job("good"))))
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    with pytest.raises(SystemExit) as ended:
        cli.main(["ingest", "--json", str(tmp_path)])
    assert ended.value.code == 1
    written = capsys.readouterr()
    summary = json.loads(written.out)
    assert summary["files"] == 2
    assert sorted(Path(one["name"]).name for one in summary["unreadable"]) == [
        "a-cut.json.gz",
        "b-broken.json",
        "c-pipe.json",
    ]
    *named, last = written.err.splitlines()
    assert [line.partition(": ")[0] for line in named] == ["lineage"] * 3
    assert last.startswith("lineage: 3 files or folders, named above, could not be read to the end.")
    jobs = stored_jobs(database)
    assert jobs[-1] == "good"
    assert len(jobs) > 500


def test_an_event_of_many_megabytes_is_stored(database: Store, tmp_path: Path) -> None:
    event = run_event(facets={"plan": facet(nodes=["x" * 1000] * 12_000)})
    (tmp_path / "large.json").write_text(json.dumps(event, indent=1))
    assert ingest_paths(database, tmp_path / "large.json").events == 1
    ((size, nodes),) = select(
        database, "SELECT event_bytes, jsonb_array_length(event #> '{run,facets,plan,nodes}') FROM lineage_events"
    )
    assert (size > 12_000_000, nodes) == (True, 12_000)


def test_progress_tells_how_much_of_a_file_was_read(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineage_core.ingest.ingestion.BATCH_DOCUMENTS", 100)
    (tmp_path / "events.ndjson.gz").write_bytes(gzip.compress(to_ndjson(events_named(500))))
    found = event_files.find([str(tmp_path / "events.ndjson.gz")])
    progresses: list[tuple[event_files.EventFile, int]] = []
    ingest(database, found, lambda *progress: progresses.append(progress))
    assert len(progresses) == 5
    assert progresses[-1] == (found.files[0], found.files[0].size)


def test_without_a_store_it_says_how_to_make_one(empty_database: Store) -> None:
    with pytest.raises(SchemaDiffers, match="lineage db upgrade"):
        insert_event(empty_database, to_json(run_event()))


class TestOneEvent:
    def test_what_is_no_event_goes_to_quarantine(self, database: Store) -> None:
        insert_event(database, b'{"eventTime": "today"}', "airflow")
        (entry,) = quarantine.entries(database)
        assert (entry.source, quarantine.raw(database, entry.id)) == ("airflow", b'{"eventTime": "today"}')

    def test_a_server_that_is_away_fails_at_once(self) -> None:
        with pytest.raises(StoreUnavailable):
            insert_event(Store("postgresql://nobody@127.0.0.1:1/none"), to_json(run_event()))

    def test_a_malformed_dsn_is_refused_without_repeating_it(self) -> None:
        with pytest.raises(WrongUsage) as caught:
            insert_event(Store("postgresql://user:secret@host:port:5432/x y z"), to_json(run_event()))
        assert "secret" not in str(caught.value)

    def test_it_does_not_wait_for_a_lock_forever(self, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lineage_core.ingest.store.PATIENCE", 1)
        with database.connect() as blocker:
            blocker.execute("LOCK TABLE lineage_events IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(StoreUnavailable, match="statement timeout"):
                insert_event(database, to_json(run_event()))
        assert stored_jobs(database) == []


@pytest.mark.shared_data
@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded events are not beside this checkout")
def test_all_real_events_are_stored(database: Store) -> None:
    summary = ingest_paths(database, SHARED / "openlineage-compatibility-tests")
    assert (summary.files, summary.events, summary.quarantined) == (74, 74, 0)
