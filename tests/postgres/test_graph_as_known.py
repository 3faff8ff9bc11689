"""`lineage graph --known-at`: what late events have changed, and the moments of which nothing says what was known."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.known import TABLES, KnownAt
from lineage_core.client import Client
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store
from lineage_core.streams.publication import PublicationTask, publish, write_records
from lineage_core.streams.store import moments, switches
from lineage_core.testing import facet
from tests.postgres.test_graph import SHOP, asked, at, dataset_named, edges, ran
from tests.postgres.test_mcp import answer
from tests.support.asked_commands import reader_dsn
from tests.support.served_pages import client
from tests.support.stores import take_in
from tests.support.stream_replay import last_known

pytestmark = pytest.mark.postgres


def published(store: Store, root: Path) -> datetime:
    publish(store, str(root))
    with store.connect() as connection:
        return last_known(connection)


def test_a_late_event_changes_the_past_and_not_what_was_known_of_it(database: Store, tmp_path: Path) -> None:
    take_in(database, [ran("load", 0, "old", "clean"), ran("load", 4, "old", "clean")])
    clean = dataset_named("clean")
    with pytest.raises(NeedsOperator, match="lineage stream start identity_map"):
        graph_of(database, clean, known=KnownAt(at(9), str(tmp_path)))
    started(database)
    before = published(database, tmp_path)
    take_in(database, [ran("load", 2, "new", "clean")])
    known = KnownAt(before, str(tmp_path))
    for _ in ("waits to be published", "is published"):
        assert edges(graph_of(database, clean, at=at(3))) == {"new > load", "load > clean"}
        assert edges(graph_of(database, clean, at=at(3), known=known)) == {"old > load", "load > clean"}
        changed = graph_difference(database, clean, at(3), at(3), from_known=known)
        assert [len(changed.came), len(changed.went)] == [1, 1]
        after = published(database, tmp_path)
    assert edges(graph_of(database, clean, at=at(3), known=KnownAt(after, str(tmp_path)))) == {
        "new > load",
        "load > clean",
    }
    for moment, says in ((before - timedelta(days=1), "is known from"), (after + timedelta(days=1), "stream publish")):
        with pytest.raises(WrongUsage, match=says):
            graph_of(database, clean, known=KnownAt(moment, str(tmp_path)))
    switches.stop(database, "jobs")
    gap = published(database, tmp_path)
    take_in(database, [ran("load", 5, "newer", "clean")])
    switches.start(database, "jobs")
    published(database, tmp_path)
    with pytest.raises(WrongUsage, match="is known from"):
        graph_of(database, clean, known=KnownAt(gap, str(tmp_path)))
    assert edges(graph_of(database, clean, known=known)) == {"old > load", "load > clean"}


def test_a_drop_that_was_not_known_yet_ends_nothing(database: Store, tmp_path: Path) -> None:
    """It is in no row of an edge: what ends one is asked of the endings of that time."""
    take_in(database, [ran("load", 0, "old", "clean"), ran("sum", 1, "clean", "sums")])
    started(database)
    known = KnownAt(published(database, tmp_path), str(tmp_path))
    dropped = {"lifecycleStateChange": facet(lifecycleStateChange="DROP")}
    take_in(database, [ran("drop", 2, "", "sums", sums=dropped)])
    sums = dataset_named("sums")
    assert "sum > sums" not in edges(graph_of(database, sums, at=at(3)))
    assert "sum > sums" in edges(graph_of(database, sums, at=at(3), known=known))


def test_it_is_known_from_when_all_streams_were_published(database: Store, tmp_path: Path) -> None:
    switches.start(database, "jobs")
    take_in(database, [ran("load", 0, "old", "clean")])
    lacking = published(database, tmp_path)
    started(database)
    whole = published(database, tmp_path)
    with pytest.raises(WrongUsage, match=re.escape(f"it is known from {whole.isoformat()} on")):
        graph_of(database, dataset_named("clean"), known=KnownAt(lacking - timedelta(days=1), str(tmp_path)))


def started(store: Store) -> None:
    for table in TABLES:
        switches.start(store, table.name)


def test_each_way_to_ask_shows_what_was_known_to_a_login_that_only_reads(
    database: Store,
    postgres_server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    reader = ReaderStore(reader_dsn(postgres_server, database))
    monkeypatch.setenv("LINEAGE_DSN", reader.dsn)
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path))
    started(database)
    take_in(database, [ran("load", 0, "old", "clean")])
    known = published(database, tmp_path)
    take_in(database, [ran("load", 0, "late", "clean")])
    whole, moment = {"clean", "old"}, known.isoformat()
    named = {"namespace": SHOP, "name": "clean", "known_at": moment}
    spans = {"from": at(0).isoformat(), "to": at(0).isoformat()}

    lines = asked(capsys, "--dataset", SHOP, "clean", "--known-at", moment)
    tool = answer(reader, "graph", kind="dataset", **named)
    asking = client(reader)
    page = asking.get("/api/graph", params=named).raise_for_status().json()
    for found in (lines, tool, page):
        assert {node["name"] for node in found["nodes"] if node["kind"] == "dataset"} == whole
        assert datetime.fromisoformat(found["known_at"]) == known
    notebook = Client(reader.dsn)
    of_client = notebook.graph(dataset=(SHOP, "clean"), known_at=known)
    assert {node.name for node in of_client.value.nodes if node.kind.value == "dataset"} == whole

    arguments = ["diff", "--dataset", SHOP, "clean", "--from", spans["from"], "--to", spans["to"]]
    changed = [
        asked(capsys, *arguments, "--known-at", moment),
        answer(reader, "graph_diff", kind="dataset", earlier=spans["from"], later=spans["to"], **named),
    ]
    assert [(len(one["came"]), len(one["went"])) for one in changed] == [(1, 0), (1, 0)]
    assert asked(capsys, *arguments, "--known-at", moment, "--to-known-at", moment)["came"] == []
    assert len(notebook.graph_diff(at(0), at(0), dataset=(SHOP, "clean"), known_at=known).value.came) == 1

    shown = asking.get("/graph", params=named | {"compare": spans["from"]}).raise_for_status().text
    assert f'name="known_at" value="{moment}"' in shown
    assert "late" not in shown
    assert "late" in asking.get("/graph", params=named | {"known_at": ""}).raise_for_status().text


def test_what_a_killed_publisher_has_moved_is_known_from_the_next_publication_on(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(database)
    take_in(database, [ran("load", 0, "old", "clean")])
    before = published(database, tmp_path)
    take_in(database, [ran("load", 1, "new", "clean")])
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(moments, "remember", _killed)
        publish(database, str(tmp_path))
    after = published(database, tmp_path)
    for moment, wanted in ((before, "old > load"), (after, "new > load")):
        known = KnownAt(moment, str(tmp_path))
        assert edges(graph_of(database, dataset_named("clean"), known=known)) == {wanted, "load > clean"}


def _killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_task_whose_publication_is_gone_is_to_be_tried_again(database: Store, tmp_path: Path) -> None:
    with moments.shared_moment(database) as (_, gone):
        pass
    with pytest.raises(TryAgain, match="has ended"):
        write_records(PublicationTask(database, str(tmp_path), "jobs", gone))
