"""An answer of one of several stores says which of its datasets others know, and is complete only if it ends here."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from lineage_core.answers.affected.borders import affected_over_borders
from lineage_core.answers.affected.question import affected_by
from lineage_core.answers.graph import borders
from lineage_core.answers.graph.borders import graph_over_borders, other_stores
from lineage_core.answers.graph.document import graph_document
from lineage_core.answers.graph.graph import BOTH, graph_of
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import Graph, NodeKind, Root
from lineage_core.answers.graph.walking import Direction
from lineage_core.answers.mcp.tools import Tools
from lineage_core.cli import main
from lineage_core.client import Client
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event
from tests.support.served_pages import client
from tests.support.servers import Databases
from tests.support.several_stores import TwoStores, two_stores
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

FILES = "file"


@pytest.fixture
def two(
    database: Store, databases: Databases, _template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TwoStores]:
    """In `main`: raw > load > clean. In `games`: clean > sum > sums, by the name of its place."""
    with databases.copied(_template) as other:
        take_in(database, [_ran("load", "shop", dataset("raw", "s3"), dataset("clean", "s3"))])
        take_in(other, [_ran("sum", "games", _clean_by_place(), dataset("sums", "s3"))])
        yield two_stores(database, other, tmp_path, monkeypatch)


def _ran(job: str, namespace: str, reads: Document, writes: Document) -> Document:
    run = f"0190a0a0-0000-7000-8000-{sum(job.encode()):012}"
    return run_event("COMPLETE", run_id=run, job=named_job(job, namespace), time=TIME, inputs=[reads], outputs=[writes])


def _clean_by_place() -> Document:
    identifiers = [{"namespace": "s3", "name": "clean", "type": "TABLE"}]
    return dataset("/data/clean", FILES, facets={"symlinks": facet(identifiers=identifiers)})


def _asked(two: TwoStores, name: str, directions: Collection[Direction] = BOTH, **others: Any) -> Graph:
    return graph_over_borders(
        two.main, Root(NodeKind.DATASET, "s3", name), other_stores(), directions=directions, **others
    )


def _elsewhere(found: Graph) -> list[tuple[str, str, str, bool, bool]]:
    return [(one.store, one.namespace, one.name, one.by_symlink, one.goes_on) for one in found.elsewhere or ()]


def test_a_dataset_that_another_store_knows_by_a_symlink_is_named_and_lineage_goes_on_there(two: TwoStores) -> None:
    found = _asked(two, "raw")
    assert _elsewhere(found) == [("games", FILES, "/data/clean", True, True)]
    (clean,) = [node for node in found.nodes if node.name == "clean"]
    assert [one.id for one in found.elsewhere or ()] == [clean.id]
    assert not found.complete
    assert graph_of(two.main, Root(NodeKind.DATASET, "s3", "raw")).complete


def test_it_is_seen_from_the_other_side_too(two: TwoStores) -> None:
    two.environment.setenv("LINEAGE_STORE", "games")
    found = graph_over_borders(two.games, Root(NodeKind.DATASET, FILES, "/data/clean"), other_stores())
    assert _elsewhere(found) == [("main", "s3", "clean", True, True)]


def test_lineage_goes_on_only_in_a_direction_that_was_asked_for(two: TwoStores) -> None:
    up = _asked(two, "clean", [Direction.UP])
    assert _elsewhere(up) == [("games", FILES, "/data/clean", True, False)]
    assert up.complete
    assert not _asked(two, "clean", [Direction.DOWN]).complete


def test_it_goes_on_at_the_moment_that_is_asked_for(two: TwoStores) -> None:
    before = _asked(two, "clean", at=TIME - timedelta(hours=1))
    assert [one.goes_on for one in before.elsewhere or ()] == [False]


def test_a_dataset_of_the_same_name_is_no_symlink_and_one_of_this_store_alone_is_not_named(two: TwoStores) -> None:
    take_in(two.games, [_ran("again", "games", dataset("raw", "s3"), dataset("else", "s3"))])
    found = _asked(two, "raw")
    assert sorted(_elsewhere(found)) == [
        ("games", FILES, "/data/clean", True, True),
        ("games", "s3", "raw", False, True),
    ]
    take_in(two.main, [_ran("alone", "shop", dataset("here", "s3"), dataset("only", "s3"))])
    alone = _asked(two, "here")
    assert (alone.elsewhere, alone.complete) == ((), True)


def test_the_dataset_of_a_column_is_looked_for(two: TwoStores) -> None:
    fields = [("id", "INT")]
    take_in(two.main, [_ran("load", "shop", dataset("raw", "s3"), dataset("clean", "s3", fields=fields))])
    root = Root(NodeKind.COLUMN, "s3", "clean", "id")
    assert not graph_over_borders(two.main, root, other_stores()).complete


def test_a_store_that_is_away_is_named_and_the_graph_is_not_complete(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    with two.away("games"):
        found = _asked(two, "raw")
        assert _shown(capsys, "graph", "--dataset", "s3", "raw")[1].count("Not complete: the store games was not") == 1
    assert (found.elsewhere, list(found.unasked_stores), found.complete) == ((), ["games"], False)
    assert "k4n4ry" not in str(graph_document(found))


def test_what_was_known_is_asked_of_one_store_and_the_answer_says_so(
    two: TwoStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The streams of the other store would be below another URL."""

    def as_of_now(store: Store, root: Root, *, known: KnownAt, **asked: Any) -> Graph:
        assert known
        return graph_of(store, root, **asked)

    monkeypatch.setattr(borders, "graph_of", as_of_now)
    found = _asked(two, "raw", known=KnownAt(TIME, "streams"))
    assert (found.elsewhere, list(found.unasked_stores), found.complete) == ((), ["games"], False)


def test_a_root_that_only_another_store_knows_is_an_error_that_names_it(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = _shown(capsys, "graph", "--dataset", "s3", "sums")
    assert (code, "games knows it: `lineage --store games graph`" in printed) == (2, True)
    code, printed = _shown(capsys, "graph", "--dataset", "s3", "nowhere")
    assert (code, "knows it" in printed) == (2, False)
    code, printed = _shown(capsys, "graph", "--dataset", "s3", "clean", "--after", "nonsense")
    assert (code, "knows it" in printed) == (2, False)


def test_the_command_says_where_to_ask_on(two: TwoStores, capsys: pytest.CaptureFixture[str]) -> None:
    code, printed = _shown(capsys, "graph", "--dataset", "s3", "raw")
    there = f"s3 clean is also as {FILES} /data/clean, by a symlink, in the store games, where its lineage goes on"
    assert (code, there in printed) == (0, True)
    assert "Not complete: lineage goes on in other stores." in printed
    code, printed = _shown(capsys, "--store", "games", "graph", "--dataset", FILES, "/data/clean")
    assert (code, "in the store main, where its lineage goes on" in printed) == (0, True)


def test_the_client_says_it_and_a_store_without_a_list_says_nothing_of_others(two: TwoStores) -> None:
    answer = Client().graph(dataset=("s3", "raw"))
    assert [one["store"] for one in answer.document["elsewhere"]] == ["games"]
    assert answer.document["unasked_stores"] == {}
    alone = Client(two.main.dsn).graph(dataset=("s3", "raw"))
    assert "elsewhere" not in alone.document
    assert alone.complete


def test_the_page_says_where_lineage_goes_on_and_which_store_was_not_asked(two: TwoStores) -> None:
    asked = {"kind": "dataset", "namespace": "s3", "name": "raw"}
    with client(two.main) as pages:
        page = pages.get("/graph", params=asked).raise_for_status().text
        assert f"{FILES} /data/clean</span> goes on in the store games" in page
        with two.away("games"):
            page = pages.get("/graph", params=asked).raise_for_status().text
    assert ("The store games was not asked" in page, "k4n4ry" in page) == (True, False)


DROPPED = ("--dataset", "s3", "clean", "--drop", "id")


@pytest.fixture
def described(two: TwoStores) -> TwoStores:
    """Where both stores know the column of clean, which nothing reads in `main`."""
    fields = [("id", "INT")]
    take_in(two.main, [_ran("load", "shop", dataset("raw", "s3"), dataset("clean", "s3", fields=fields))])
    return two


def test_impact_says_which_stores_have_readers_and_fails_where_one_may_be_broken(
    described: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = _shown(capsys, "impact", *DROPPED)
    there = f"Not complete: jobs of the store games read {FILES} /data/clean: lineage --store games impact"
    assert (code, there in printed) == (0, True)
    assert _shown(capsys, "impact", *DROPPED, "--fail-on", "broken")[0] == 1
    with described.away("games"):
        code, printed = _shown(capsys, "impact", *DROPPED, "--fail-on", "broken")
    assert (code, "Not complete: the store games was not asked" in printed, "k4n4ry" in printed) == (1, True, False)


def test_impact_of_what_no_other_store_reads_is_complete(
    described: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    sums = _ran("sum", "games", _clean_by_place(), dataset("sums", "s3", fields=[("total", "INT")]))
    take_in(described.games, [sums])
    dropped = ("--dataset", "s3", "sums", "--drop", "total", "--fail-on", "unknown")
    assert _shown(capsys, "--store", "games", "impact", *dropped)[0] == 0


def test_affected_says_which_stores_read_the_datasets_of_bad_versions(
    described: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    there = f"Not complete: jobs of the store games read {FILES} /data/clean: lineage --store games affected"
    for name in ("clean", "raw"):  # of the second, a version of the first is affected
        code, printed = _shown(capsys, "affected", "--version", _current(described.main, name))
        assert (code, there in printed) == (0, True)
    code, printed = _shown(capsys, "--store", "games", "affected", "--version", _current(described.games, "sums"))
    assert (code, "Not complete" in printed) == (0, False)


def test_who_has_read_a_bad_version_is_affected_though_it_reads_another_dataset_now(described: TwoStores) -> None:
    def elsewhere(version: str) -> list[str]:
        found = affected_by(described.main, run=None, version=UUID(version))
        return [one.name for one in affected_over_borders(described.main, found, other_stores()).elsewhere or ()]

    before = _current(described.main, "clean")
    later = _ran("sum", "games", dataset("other", "s3"), dataset("sums", "s3")) | {"eventTime": _day(1)}
    take_in(described.games, [later | {"run": {"runId": str(UUID(int=8))}}])
    assert elsewhere(before) == ["/data/clean"]
    again = _ran("load", "shop", dataset("raw", "s3"), dataset("clean", "s3", fields=[("id", "INT")]))
    take_in(described.main, [again | {"eventTime": _day(2), "run": {"runId": str(UUID(int=7))}}])
    assert _current(described.main, "clean") != before
    assert elsewhere(_current(described.main, "clean")) == []


def _day(number: int) -> str:
    return (TIME + timedelta(days=number)).isoformat()


def test_a_difference_of_two_graphs_names_the_stores_where_lineage_goes_on(
    two: TwoStores, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("graph", "diff", "--dataset", "s3", "raw", "--from", _day(-1), "--to", _day(1))
    code, printed = _shown(capsys, *asked)
    assert (code, "Not complete: lineage goes on in other stores." in printed) == (0, True)
    assert "where its lineage goes on: lineage --store games graph" in printed
    on_page = {"namespace": "s3", "name": "raw", "compare": _day(-1), "at": _day(1)}
    with client(two.main) as pages:
        difference = pages.get("/api/graph", params=on_page).json()["difference"]
        assert ([one["store"] for one in difference["elsewhere"]], difference["complete"]) == (["games"], False)
        assert "Not complete: one of the two graphs" in pages.get("/graph", params=on_page).text
    _, upstream = _shown(capsys, *asked, "--up")
    assert "Not complete" not in upstream
    with two.away("games"):
        _, printed = _shown(capsys, *asked)
    assert "Not complete: the store games was not asked." in printed


@pytest.mark.parametrize("as_json", [[], ["--json"]], ids=["as a script", "as JSON"])
def test_what_other_stores_add_is_no_line_of_the_script_that_does_runs_again(
    described: TwoStores, capsys: pytest.CaptureFixture[str], as_json: list[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["affected", "--version", _current(described.main, "clean"), "--airflow", *as_json])
    written = capsys.readouterr()
    assert (ended.value.code, "Not complete: jobs of the store games" in written.err) == (0, True)
    commands = json.loads(written.out)["commands"] if as_json else written.out.splitlines()
    assert commands
    assert all(line.startswith(("#", "set ", "airflow ")) or not line for line in commands)


def test_client_and_pages_say_the_same_of_impact_and_affected(described: TwoStores) -> None:
    version = _current(described.main, "clean")
    asking = Client()
    for answer in (asking.impact(dataset=("s3", "clean"), drop=["id"]), asking.affected(version=version)):
        assert (answer.complete, [one["store"] for one in answer.document["elsewhere"]]) == (False, ["games"])
    assert asking.impact(dataset=("s3", "clean"), drop=["id"]).document["unasked_stores"] == {}
    alone = Client(described.main.dsn).impact(dataset=("s3", "clean"), drop=["id"])
    assert (alone.complete, alone.document["elsewhere"]) == (True, None)
    with client(described.main) as pages:
        asked = {"/impact": {"namespace": "s3", "name": "clean", "drop": "id"}, "/affected": {"version": version}}
        for page, parameters in asked.items():
            shown = pages.get(page, params=parameters).raise_for_status().text
            assert "jobs of the store games read" in shown
            with described.away("games"):
                shown = pages.get(page, params=parameters).raise_for_status().text
            assert ("the store games was not asked" in shown, "k4n4ry" in shown) == (True, False)


def test_agents_are_answered_the_same(described: TwoStores) -> None:
    tools = Tools(described.main)
    asked = (
        tools.impact(namespace="s3", name="clean", drop=["id"]),
        tools.affected(version=UUID(_current(described.main, "clean"))),
    )
    for answer in asked:
        assert (answer["complete"], [one["store"] for one in answer["elsewhere"]]) == (False, ["games"])


def _current(store: Store, name: str) -> str:
    """The uuid of the current version of a dataset."""
    ((version,),) = rows(store, "SELECT current_version_uuid::text FROM datasets WHERE name = %s", (name,))
    return str(version)


def _shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    written = capsys.readouterr()
    return ended.value.code, written.out + written.err
