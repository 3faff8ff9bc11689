"""`lineage graph` and its `diff`: what they answer, when they are not complete, and what other tools get of them."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import pytest

from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.drawing import DrawingFormat, drawn
from lineage_core.answers.graph.graph import BOTH, graph_of
from lineage_core.answers.graph.model import EdgeKind, Graph, NodeKind, Root
from lineage_core.answers.graph.walking import Direction
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

SHOP = "shop"
FIELDS = [("id", "INT")]


@pytest.fixture
def asked_store(database: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store that the command line asks."""
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    return database


def at(hour: float) -> datetime:
    return TIME + timedelta(hours=hour)


def ran(
    job: str, hour: float, reads: str = "", writes: str = "", type_: str = "COMPLETE", **facets: Document
) -> Document:
    """An event of a run of its own. Names are words; `facets` are those of a dataset, by its name."""
    inputs, outputs = (
        [dataset(name, SHOP, fields=FIELDS, facets=facets.get(name, {})) for name in words.split()]
        for words in (reads, writes)
    )
    return run_event(
        type_, run_id=run_of(job, hour), job=named_job(job, SHOP), time=at(hour), inputs=inputs, outputs=outputs
    )


def run_of(job: str, hour: float) -> str:
    return f"0190a0a0-0000-7000-8000-{int(hour * 100) * 1_000 + sum(job.encode()):012}"


def dataset_named(name: str) -> Root:
    return Root(NodeKind.DATASET, SHOP, name)


def edges(graph: Graph) -> set[str]:
    names = {node.id: node.name + (f".{node.column}" if node.column else "") for node in graph.nodes}
    return {f"{names[edge.from_]} > {names[edge.to]}" for edge in graph.edges}


CHAIN = [ran("load", 0, "raw", "clean"), ran("sum", 1, "clean", "sums"), ran("show", 2, "sums")]


def test_the_graph_of_now_is_walked_up_and_down_each_for_itself(database: Store) -> None:
    take_in(database, [*CHAIN, ran("other", 1, "raw", "else")])
    found = graph_of(database, dataset_named("clean"))
    assert edges(found) == {"raw > load", "load > clean", "clean > sum", "sum > sums", "sums > show"}
    assert found.complete
    assert edges(graph_of(database, dataset_named("clean"), directions=[Direction.UP], depth=1)) == {"load > clean"}
    assert edges(graph_of(database, dataset_named("clean"), directions=[Direction.DOWN], depth=2)) == {
        "clean > sum",
        "sum > sums",
    }


def test_an_edge_tells_from_when_until_when_and_by_how_many_runs(database: Store) -> None:
    take_in(database, [ran("load", hour, "old" if hour < 3 else "new", "clean") for hour in range(5)])
    (old,) = [edge for edge in graph_of(database, dataset_named("old"), at=at(1)).edges if edge.kind is EdgeKind.READS]
    assert (old.since, old.until, old.last_seen, old.runs) == (at(0), at(3), at(2), 3)
    (new,) = [edge for edge in graph_of(database, dataset_named("new")).edges if edge.kind is EdgeKind.READS]
    assert (new.since, new.until, new.last_seen, new.runs) == (at(3), None, at(4), 2)
    assert graph_of(database, dataset_named("old")).edges == ()
    assert graph_of(database, dataset_named("old"), at=at(3)).edges == ()
    assert graph_of(database, dataset_named("old"), at=at(0) - timedelta(microseconds=1)).edges == ()


def test_neither_a_fail_nor_a_run_without_datasets_ends_an_edge(database: Store) -> None:
    take_in(database, [ran("load", 0, "raw"), ran("load", 1, "else", type_="FAIL"), ran("load", 2)])
    assert edges(graph_of(database, dataset_named("raw"))) == {"raw > load"}
    assert graph_of(database, dataset_named("else")).edges == ()


def test_a_dropped_dataset_has_no_edge_until_a_run_names_it_again(database: Store) -> None:
    dropped = {"lifecycleStateChange": facet(lifecycleStateChange="DROP")}
    take_in(database, [ran("load", 0, "raw"), ran("clear", 1, "", "raw", raw=dropped), ran("load", 2, "raw")])
    assert edges(graph_of(database, dataset_named("raw"), at=at(0.5))) == {"raw > load"}
    assert graph_of(database, dataset_named("raw"), at=at(1)).edges == ()
    (again,) = graph_of(database, dataset_named("raw")).edges
    assert again.since == at(2)


@pytest.mark.parametrize("symlinked", [False, True])
def test_a_rename_ends_the_earlier_name_unless_a_symlink_joins_them(database: Store, symlinked: bool) -> None:
    renamed = facet(lifecycleStateChange="RENAME", previousIdentifier={"namespace": SHOP, "name": "raw"})
    joined = {"symlinks": facet(identifiers=[{"namespace": SHOP, "name": "raw", "type": "TABLE"}])}
    events = [
        ran("make", 0, "", "fresh", fresh=joined if symlinked else {}),
        ran("load", 1, "raw"),
        ran("move", 2, "", "fresh", fresh={"lifecycleStateChange": renamed}),
        ran("load", 3, "fresh"),
    ]
    take_in(database, events)
    (edge,) = [one for one in graph_of(database, dataset_named("fresh")).edges if one.kind is EdgeKind.READS]
    assert edge.since == (at(1) if symlinked else at(3))
    reads = [one for one in graph_of(database, dataset_named("raw"), at=at(2)).edges if one.kind is EdgeKind.READS]
    assert len(reads) == (1 if symlinked else 0)


def test_columns_have_a_graph_of_their_own(database: Store) -> None:
    def of(column: str) -> Document:
        fields = {"id": {"inputFields": [{"namespace": SHOP, "name": "raw", "field": column}]}}
        return {"clean": {"columnLineage": facet(fields=fields)}}

    take_in(database, [ran("load", 0, "raw", "clean", **of("a")), ran("load", 1, "raw", "clean", **of("b"))])
    column = Root(NodeKind.COLUMN, SHOP, "clean", "id")
    assert edges(graph_of(database, column, at=at(0))) == {"raw.a > clean.id"}
    assert edges(graph_of(database, column)) == {"raw.b > clean.id"}
    assert edges(graph_of(database, Root(NodeKind.COLUMN, SHOP, "raw", "id"))) == set()
    assert edges(graph_of(database, Root(NodeKind.COLUMN, SHOP, "raw", "b"))) == {"raw.b > clean.id"}
    with pytest.raises(WrongUsage, match="a column 'other'"):
        graph_of(database, Root(NodeKind.COLUMN, SHOP, "clean", "other"))


def test_pages_together_are_the_whole(database: Store) -> None:
    take_in(database, [*CHAIN, *(ran(f"reader {number}", 3, "clean", f"copy_{number}") for number in range(12))])
    whole = graph_of(database, dataset_named("clean"))
    page = graph_of(database, dataset_named("clean"), most=4)
    pages = [page]
    while page.next:
        assert not page.complete
        page = graph_of(database, dataset_named("clean"), most=4, after=page.next)
        pages.append(page)
    assert [node for one in pages for node in one.nodes] == list(whole.nodes)
    assert sorted((edge.from_, edge.to) for one in pages for edge in one.edges) == sorted(
        (edge.from_, edge.to) for edge in whole.edges
    )
    assert whole.complete and page.complete
    with pytest.raises(WrongUsage, match="no cursor"):
        graph_of(database, dataset_named("clean"), after="behind")


def test_what_a_person_has_hidden_is_left_out_of_now_alone(database: Store) -> None:
    take_in(database, CHAIN)
    with database.connect() as connection:
        connection.execute("UPDATE jobs SET is_hidden = true WHERE name = 'sum'")
    assert edges(graph_of(database, dataset_named("clean"))) == {"raw > load", "load > clean"}
    assert "clean > sum" in edges(graph_of(database, dataset_named("clean"), at=at(5)))


def test_a_moment_before_what_retention_has_deleted_is_not_complete(database: Store) -> None:
    take_in(database, [ran("load", hour, "old" if hour < 3 else "new", "clean") for hour in range(80)])
    set_policy(database, Policy(PolicyKind.RUNS, SHOP, timedelta(hours=60), keep_last=1))
    retention.apply(database, retention.plan(database, at(80)))
    past = graph_of(database, dataset_named("clean"), at=at(2))
    assert (past.complete, past.purged_before) == (False, at(20))
    (read,) = graph_of(database, dataset_named("new"), at=at(20), directions=[Direction.DOWN], depth=1).edges
    assert (read.since, read.until) == (at(3), None)
    assert graph_of(database, dataset_named("clean"), at=at(20)).complete
    gone = graph_of(database, dataset_named("old"), at=at(2))
    assert (gone.edges, gone.complete) == ((), False), "that nothing is left does not say that nothing was there"


def test_the_difference_of_two_moments_has_what_came_and_what_went(database: Store) -> None:
    take_in(database, [ran("load", 0, "old", "clean"), ran("load", 2, "new", "clean"), ran("brief", 1, "clean")])
    found = graph_difference(database, dataset_named("clean"), at(0), at(3))
    names = {node.id: node.name for node in found.nodes}
    assert [(names[edge.from_], names[edge.to]) for edge in found.went] == [("old", "load")]
    assert sorted((names[edge.from_], names[edge.to]) for edge in found.came) == [("clean", "brief"), ("new", "load")]
    assert found.complete


def test_edges_name_the_run_and_the_version_that_flowed(database: Store) -> None:
    take_in(
        database, [ran("load", 0, "", "raw"), ran("sum", 1, "raw"), ran("load", 2, "", "raw"), ran("sum", 3, "raw")]
    )
    written = [version for (version,) in rows(database, "SELECT uuid::text FROM dataset_versions ORDER BY created_at")]
    for hour, version in ((1, written[0]), (3, written[1])):
        found = graph_of(database, dataset_named("raw"), at=at(hour), with_runs=True)
        (read,) = [edge for edge in found.edges if edge.kind is EdgeKind.READS]
        assert (read.version, read.run) == (version, run_of("sum", hour))


def test_of_graphs_that_are_cut_no_edge_came_that_had_held(database: Store) -> None:
    """Those that the first graph shows go, so the second has room for others, which were there before."""
    take_in(database, [ran(f"reader {number}", 0, "clean") for number in range(12)])
    shown = graph_of(database, dataset_named("clean"), at=at(1), most=4).nodes[1:]
    take_in(database, [ran(node.name, 2, "else") for node in shown])
    found = graph_difference(database, dataset_named("clean"), at(1), at(3), most=4)
    assert not found.complete
    assert found.came == ()
    assert {edge.to for edge in found.went} == {node.id for node in shown}


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["--dataset", SHOP, "cleen"], "The nearest name is 'clean'"),
        (["--job", SHOP, "lod"], "The nearest name is 'load'"),
        ([], "Name one thing"),
        (["--dataset", SHOP, "clean", "--job", SHOP, "load"], "Name one thing"),
        (["--dataset", SHOP, "clean", "--at", "soon"], "--at 'soon'"),
        (["--dataset", SHOP, "clean", "--draw", "dot", "--json"], "exclude each other"),
    ],
)
def test_a_wrong_question_learns_what_helps(
    asked_store: Store, capsys: pytest.CaptureFixture[str], arguments: list[str], advice: str
) -> None:
    take_in(asked_store, CHAIN)
    with pytest.raises(SystemExit) as ended:
        main(["graph", *arguments])
    assert ended.value.code == 2
    assert advice in capsys.readouterr().err


def test_json_has_what_scripts_need(asked_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    take_in(asked_store, CHAIN)
    found = asked(capsys, "--job", SHOP, "sum", "--up", "--depth", "1")
    of_then = {"known_at", "published_at", "has_lost_descriptions"}
    assert set(found) == {"complete", "at", "next", "purged_before", "waiting_since", "nodes", "edges"} | of_then
    assert {(node["kind"], node["name"], node["column"]) for node in found["nodes"]} == {
        ("job", "sum", None),
        ("dataset", "clean", None),
    }
    (edge,) = found["edges"]
    names = {node["id"]: node["name"] for node in found["nodes"]}
    assert (names[edge["from"]], names[edge["to"]], edge["kind"]) == ("clean", "sum", "reads")
    assert (datetime.fromisoformat(edge["since"]), edge["until"], edge["runs"]) == (at(1), None, 1)
    main_arguments = ["diff", "--dataset", SHOP, "sums", "--from", at(0).isoformat(), "--to", at(1).isoformat()]
    changed = asked(capsys, *main_arguments)
    assert (len(changed["came"]), len(changed["went"])) == (4, 0)


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    with pytest.raises(SystemExit) as ended:
        main(["graph", *arguments, "--json"])
    assert not ended.value.code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("directions", [BOTH, (Direction.UP,)])
def test_other_tools_get_the_whole_graph_with_hostile_names_as_text(
    database: Store, directions: Collection[Direction]
) -> None:
    hostile = 'a"] --> b; <script>\\'
    take_in(database, [ran(hostile, 0, "raw")])
    graph = graph_of(database, Root(NodeKind.JOB, SHOP, hostile), directions=directions)
    dot, mermaid, prov = ("\n".join(drawn(graph, one)) for one in DrawingFormat)
    assert dot.count("->") - dot.count("-->") == len(graph.edges) == mermaid.count("-->|")
    assert r"a\"] --> b; <script>\\" in dot
    assert "<script>" not in mermaid
    assert prov.count("prov:used <urn:uuid:") == 1
