"""Several stores: each event is in the store of its namespace, once, whoever brings it and whatever is away."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.errors import NeedsOperator
from lineage_core.ingest.routes import routing_namespace, sort_spool, store_of_document
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge
from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.store_list import ListedStore, StoreList, read_store_list
from lineage_core.testing import Document, dataset, dataset_event, job_event, named_job, run_event, to_json, to_ndjson
from tests.support.how_tos import blocks
from tests.support.servers import Databases
from tests.support.several_stores import AWAY, TwoStores, printed, stored, two_stores
from tests.support.spool_processes import emit, put
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres


@pytest.fixture
def two(
    database: Store, databases: Databases, _template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TwoStores]:
    with databases.copied(_template) as other:
        yield two_stores(database, other, tmp_path, monkeypatch)


def _of(namespace: str, name: str) -> Document:
    return run_event(job=named_job(name, namespace))


def _written(folder: Path, *events: Document, name: str = "events.ndjson") -> str:
    (folder / name).write_bytes(to_ndjson(events))
    return str(folder / name)


def test_each_event_is_in_the_store_of_its_namespace_and_a_repeat_too(
    two: TwoStores, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _written(
        tmp_path,
        _of("games", "one"),
        _of("unheard of", "two"),
        _of("prod-eu", "three"),
        job_event(named_job("four", "prod-eu")),
        dataset_event(dataset("five", "games")),
        dataset_event(dataset("six", "games.x")),
    )
    code, summary, _ = printed(capsys, "ingest", path)
    assert (code, summary["events"], summary["files"]) == (0, 6, 1)
    shares = {name: (share["events"], share["problem"]) for name, share in summary["stores"].items()}
    assert shares == {"main": (2, None), "games": (4, None)}
    assert (stored(two.main), stored(two.games)) == (["two", "six"], ["one", "three", "four", "five"])
    printed(capsys, "ingest", path)
    assert (sorted(set(stored(two.main))), len(stored(two.games))) == (["six", "two"], 8)


HOSTILE = ["games*", "*", "prod-*", "'; DROP TABLE jobs; --", "\u202egames", "gämes", "games ", "../games", "\n", "🎲"]


@pytest.mark.parametrize("namespace", HOSTILE)
def test_a_hostile_namespace_goes_to_one_store_and_nowhere_else(
    two: TwoStores, tmp_path: Path, capsys: pytest.CaptureFixture[str], namespace: str
) -> None:
    code, summary, _ = printed(capsys, "ingest", _written(tmp_path, _of(namespace, "one")))
    expected = "games" if namespace == "prod-*" else "main"
    assert (code, summary["stores"][expected]["events"]) == (0, 1)
    assert len(stored(two.main)) + len(stored(two.games)) == 1


def test_what_is_no_event_goes_to_the_quarantine_where_its_run_is(
    two: TwoStores, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unreadable = {"job": {"namespace": "games", "name": 7}, "eventTime": "soon"}
    unnamed = {"eventTime": "soon", "job": "games"}
    code, summary, _ = printed(capsys, "ingest", _written(tmp_path, unreadable, unnamed))
    assert (code, summary["quarantined"]) == (0, 2)
    assert [summary["stores"][name]["quarantined"] for name in ("main", "games")] == [1, 1]
    assert [json.loads(raw) for (raw,) in rows(two.games, "SELECT raw FROM quarantine")] == [unreadable]


def test_a_store_that_is_away_holds_up_no_other_and_to_ingest_again_brings_the_rest(
    two: TwoStores, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _written(tmp_path, _of("games", "one"), _of("a", "two"), _of("prod-1", "three"))
    with two.away("games"):
        code, summary, errors = printed(capsys, "ingest", path)
    assert code == 1
    assert "games (The database cannot be reached" in errors
    assert "k4n4ry" not in errors + json.dumps(summary)
    assert (summary["events"], summary["stores"]["games"]["unstored"]) == (1, 2)
    assert (stored(two.main), stored(two.games)) == (["two"], [])
    code, summary, _ = printed(capsys, "ingest", path)
    assert (code, stored(two.games)) == (0, ["one", "three"])


def test_a_variable_that_is_lost_keeps_the_other_stores_going(
    two: TwoStores, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GAMES_DSN")
    code, summary, errors = printed(capsys, "ingest", _written(tmp_path, _of("games", "one"), _of("a", "two")))
    assert (code, summary["events"], stored(two.main)) == (1, 1, ["two"])
    assert "GAMES_DSN is not set" in errors


def test_the_transport_keeps_what_a_store_does_not_take_and_the_other_goes_on(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    routes = json.loads(two.file.read_text())
    routes["routes"]["airflow"] = "games"
    two.file.write_text(json.dumps(routes))
    with two.away("games"):
        emit("one")
    assert _files(two.spool / "games") == 1
    del routes["routes"]["airflow"]
    two.file.write_text(json.dumps(routes))
    emit("two")
    assert (stored(two.main), stored(two.games), _files(two.spool / "main")) == (["two"], [], 0)
    code, summary, _ = printed(capsys, "ingest")
    assert (code, summary["spooled"]) == (0, 1)
    assert (stored(two.main), stored(two.games)) == (["two"], ["one"]), "it went where the routes led when it came"


def test_an_event_is_kept_without_a_list_that_can_be_read_and_routed_later(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    text = two.file.read_text()
    two.file.write_text(text[:-5])
    with pytest.raises(NeedsOperator, match="Events wait in"):
        emit("one")
    two.file.write_text(text.replace('"games": "games",', '"airflow": "games",'))
    code, summary, _ = printed(capsys, "ingest")
    assert (code, summary["spooled"], stored(two.games)) == (0, 1, ["one"])
    assert _files(two.spool) == 0


def test_what_waits_for_a_store_that_has_left_the_list_is_routed_again(two: TwoStores) -> None:
    put(two.spool / "old", "one")
    put(two.spool, "two")
    sort_spool(read_store_list(two.file), two.spool)
    assert [_files(two.spool / name) for name in ("old", "main", "games")] == [0, 2, 0]
    assert _files(two.spool) == 0


def _files(folder: Path) -> int:
    return sum(one.is_file() for one in folder.iterdir()) if folder.is_dir() else 0


def test_what_takes_events_in_refuses_a_store(two: TwoStores, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["ingest"], ["ingest", "."], ["serve"]):
        code, _, errors = _run(capsys, "--store", "games", *command)
        assert (code, "leave out --store" in errors) == (2, True)
    assert (stored(two.main), stored(two.games)) == ([], [])


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    from lineage_core import cli

    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    written = capsys.readouterr()
    return ended.value.code, written.out, written.err


def test_a_command_works_on_the_store_that_is_named_and_else_on_the_default_store(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(two.games, [_of("games", "one")])
    assert "games" in _run(capsys, "--store", "games", "namespace", "list")[1]
    assert "games" not in _run(capsys, "namespace", "list")[1]
    assert "games" not in _run(capsys, "--store", "main", "namespace", "list")[1]
    code, _, errors = _run(capsys, "--store", "other", "namespace", "list")
    assert (code, "no store 'other'" in errors) == (2, True)


def test_a_job_that_airflow_submits_works_on_the_store_that_it_is_given_first(two: TwoStores) -> None:
    """As `spark_jobs/` does, in a process of its own."""
    code = "import sys; from lineage_core.cli import main_of_job; main_of_job(['namespace'], sys.argv[1:])"
    take_in(two.games, [_of("games", "one")])
    for given_store, expected in ((["--store=games"], True), ([], False)):
        done = subprocess.run(
            [sys.executable, "-c", code, *given_store, "list"],
            env=inherited_environment(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("games" in done.stdout) is expected


def test_the_list_says_where_each_store_is_and_what_waits(two: TwoStores, capsys: pytest.CaptureFixture[str]) -> None:
    put(two.spool / "games", "one")
    with two.main.connect() as connection:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event) VALUES (now(), %s)", [to_json(_of("a", "b")).decode()]
        )
    with two.away("games"):
        code, found, _ = printed(capsys, "store", "list")
        _, text, _ = _run(capsys, "store", "list")
    assert code == 0
    main, games = found["stores"]
    assert (main["name"], main["is_default"], main["waiting"], main["problem"]) == ("main", True, 1, None)
    assert (games["routes"], games["waiting"]) == (["games", "prod-*"], None)
    assert games["problem"].startswith("The database cannot be reached")
    assert games["spooled_since"] is not None
    assert "k4n4ry" not in json.dumps(found) + text
    assert "127.0.0.1:1/lineage" in text


def test_two_names_of_one_database_are_seen(
    two: TwoStores, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAMES_DSN", two.main.dsn)
    _, found, _ = printed(capsys, "store", "list")
    assert "It is the database of the store main" in found["stores"][1]["problem"]


def test_stores_are_added_by_the_names_of_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "stores.json"
    monkeypatch.setenv("LINEAGE_STORES", str(file))
    code, made, _ = printed(capsys, "store", "add", "main", "--dsn-variable", "MAIN_DSN")
    assert (code, made) == (0, {"name": "main", "is_default": True, "dsn_variable": "MAIN_DSN"})
    words = [
        "--dsn-variable",
        "G",
        "--ingest-dsn-variable",
        "GI",
        "--reader-dsn-variable",
        "GR",
        "--operator-dsn-variable",
        "GO",
    ]
    code, made, _ = printed(capsys, "store", "add", "games", *words, "--streams-url-variable", "GS")
    assert (code, made["is_default"]) == (0, False)
    listed = StoreList(
        {"main": ListedStore("MAIN_DSN"), "games": ListedStore("G", "GI", "GR", "GO", "GS")}, {"*": "main"}
    )
    assert read_store_list(file) == listed
    for name, variable in (("main", "X"), ("x", AWAY), (AWAY, "X"), ("Games", "X")):
        code, _, errors = printed(capsys, "store", "add", name, "--dsn-variable", variable)
        assert (code, "k4n4ry" in errors) == (2, False)
    assert read_store_list(file) == listed


@pytest.mark.parametrize("command", [["list"], ["add", "a", "--dsn-variable", "A"], ["route", "a", "--to", "b"]])
def test_without_a_list_the_commands_say_which_setting_it_takes(
    capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    code, _, errors = printed(capsys, "store", *command)
    assert (code, "LINEAGE_STORES is not set" in errors) == (2, True)


def test_a_new_namespace_is_routed_and_one_with_jobs_only_if_that_is_meant(
    two: TwoStores, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(two.main, [_of("shop!", "one"), _of("shop!", "two"), _of("stay", "three")])
    before = read_store_list(two.file)
    code, found, _ = printed(capsys, "store", "route", "new", "news-*", "--to", "games")
    assert (code, found) == (0, {"routes": {"new": "games", "news-*": "games"}})
    for pattern in ("shop!", "sh*", "*"):
        code, _, errors = printed(capsys, "store", "route", pattern, "--to", "games")
        assert (code, "'shop_' in main" in errors) == (1, True)
    assert read_store_list(two.file) == before.with_routes(["new", "news-*"], "games")
    code, found, _ = printed(capsys, "store", "route", "shop!", "--to", "games", "--yes")
    assert (code, found) == (0, {"routes": {"shop_": "games"}})
    printed(capsys, "ingest", _written(tmp_path, _of("shop!", "four"), _of("stay", "five")))
    assert (stored(two.main), stored(two.games)) == (["one", "two", "three", "five"], ["four"])


def test_a_route_is_not_changed_while_a_store_cannot_be_asked(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    with two.away("main"):
        code, _, errors = printed(capsys, "store", "route", "new", "--to", "games")
        assert (code, "cannot be asked" in errors, "k4n4ry" in errors) == (1, True, False)
        assert "new" not in read_store_list(two.file).routes
        assert printed(capsys, "store", "route", "games", "--to", "games")[0] == 0, "nothing changes"
        assert printed(capsys, "store", "route", "new", "--to", "games", "--yes")[0] == 0
    code, _, errors = printed(capsys, "store", "route", "new", "--to", "other")
    assert (code, "no store 'other'" in errors) == (2, True)


def test_the_examples_of_the_how_to_do_what_they_say(two: TwoStores, tmp_path: Path) -> None:
    """But for the addresses of its servers, which are those of the test."""
    set_up, use, carry_over = blocks("../run-several-stores")
    take_in(two.main, [_of("shop", "one"), _of("stay", "two")])
    _written(tmp_path, _of("games", "three"), _of("a", "four"))
    for line in set_up.splitlines()[:2]:
        set_up = set_up.replace(line, "")
    for script in (set_up, use, carry_over):
        here = script.replace(".venv/bin/lineage", str(Path(sys.executable).with_name("lineage")))
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", here],
            env=inherited_environment() | {"LINEAGE_STORES": str(tmp_path / "new.json")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done
    routes = {"*": "main", "games": "games", "prod-games-*": "games", "shop": "games"}
    assert read_store_list(tmp_path / "new.json").routes == routes
    assert (stored(two.main), stored(two.games)) == (["one", "two", "four"], ["three", "one"])
    digests = [
        rows(store, "SELECT event::text FROM lineage_events WHERE job_name = 'one'") for store in (two.main, two.games)
    ]
    assert digests[0] == digests[1], "it is the same event in both"


texts = st.text(max_size=8)


@given(texts, st.sampled_from(["job", "dataset"]))
def test_what_is_refused_goes_where_its_event_would_have_gone(namespace: str, member: str) -> None:
    """So that the quarantine is where the run is."""
    good = _of(namespace, "one") if member == "job" else dataset_event(dataset("one", namespace))
    accepted = judge(to_json(good), "")
    refused = judge(to_json(good | {"eventTime": "soon"}), "")
    assert isinstance(refused, RefusedDocument)
    if isinstance(accepted, AcceptedEvent):
        assert routing_namespace(refused) == routing_namespace(accepted) == accepted.namespace


def test_a_document_without_a_namespace_goes_to_the_default_store() -> None:
    listed = StoreList({"a": ListedStore("A"), "b": ListedStore("B")}, {"*": "a", "x": "b"})
    deep = b'{"job": {"namespace": "x"}, "a": ' + b"[" * 100_000
    for raw in (b"", b"{", b"[]", b"\xff", b'{"job": {"namespace": 7}}', b'{"job": null}', deep):
        assert store_of_document(listed, raw) == "a"
    assert store_of_document(listed, b'{"job": {"namespace": "x"}}') == "b"
