"""`lineage graph` and its `diff`: what they answer, when they are not complete, and what other tools get of them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest

from lineage_core.answers.graph.difference import GraphDifference, graph_difference
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
from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, named_job, run_event
from tests.support.served_pages import client
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


def branches(job: str, count: int) -> list[Document]:
    """A job with so many inputs, each of two names, and as many outputs, each read by a job and dropped at last."""
    inputs, outputs = ([f"{job}_{kind}{number}" for number in range(count)] for kind in ("in", "out"))
    names: dict[str, Any] = {
        name: {"symlinks": facet(identifiers=[{"namespace": SHOP, "name": f"{name}_too", "type": "TABLE"}])}
        for name in inputs
    }
    dropped: Any = {"lifecycleStateChange": facet(lifecycleStateChange="DROP")}
    return [
        ran(job, 0, " ".join(inputs), " ".join(outputs), **names),
        *(ran(f"{name}_read", 1, name, f"{name}_end") for name in outputs),
        *(ran(f"{name}_drop", 2, "", name, **{name: dropped}) for name in outputs),
    ]


@pytest.mark.parametrize("of", [{"depth": 1}, {}, {"at": at(1.5)}], ids=["one hop", "now", "then"])
def test_a_hop_takes_as_many_statements_whether_it_has_few_edges_or_many(
    of: dict[str, Any], database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, branches("few", 1) + branches("many", 12))
    asked = list[object]()
    execute = psycopg.Cursor.execute

    def counted(cursor: Any, query: Any, *rest: Any, **named: Any) -> Any:
        asked.append(query)
        return execute(cursor, query, *rest, **named)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)

    def edges_and_statements(job: str) -> tuple[int, int]:
        asked.clear()
        return len(graph_of(database, Root(NodeKind.JOB, SHOP, job), **of).edges), len(asked)

    (few_edges, few), (many_edges, many) = edges_and_statements("few"), edges_and_statements("many")
    assert many_edges == 12 * few_edges > 0
    assert many == few > 3


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


def test_a_difference_names_the_event_of_each_change(database: Store) -> None:
    dropped = dataset("seed", SHOP, facets={"lifecycleStateChange": facet(lifecycleStateChange="DROP")})
    read, changed = ran("load", 0, "old seed", "clean"), ran("load", 2, "new seed", "clean")
    take_in(database, [read, ran("make", 1, "far", "new"), changed, dataset_event(dropped, time=at(3))])
    found = graph_difference(database, dataset_named("clean"), at(1), at(4))
    names = {node.id: node.name for node in found.nodes}
    events = {
        (names[edge.from_], names[edge.to]): edge.event and (edge.event.time, edge.event.run)
        for edge in (*found.came, *found.went)
    }
    assert events == {
        ("new", "load"): (at(2), run_of("load", 2)),
        ("far", "make"): None,
        ("make", "new"): None,
        ("old", "load"): (at(2), run_of("load", 2)),
        ("seed", "load"): (at(3), None),
    }
    stored = {order.hex() for (order,) in rows(database, "SELECT event_order FROM event_ledger")}
    assert {edge.event.id for edge in (*found.came, *found.went) if edge.event} <= stored


def renaming(old: str) -> Document:
    """Facets of a dataset that had this name."""
    return {
        "lifecycleStateChange": facet(
            lifecycleStateChange="RENAME", previousIdentifier={"namespace": SHOP, "name": old}
        )
    }


def renamed(found: GraphDifference) -> list[tuple[str, str, datetime]]:
    return [(one.from_.name, one.to.name, one.event.time) for one in found.renamed]


def test_a_rename_is_one_change_whichever_name_is_asked_for(asked_store: Store) -> None:
    columns = {
        old: {"columnLineage": facet(fields={"id": {"inputFields": [{"namespace": SHOP, "name": old, "field": "id"}]}})}
        for old in ("sums", "totals")
    }
    take_in(
        asked_store,
        [
            ran("sum", 0, "clean", "sums"),
            ran("show", 0, "sums", "board", board=columns["sums"]),
            ran("mail", 0, "sums"),
            ran("move", 1, "", "middle", middle=renaming("sums")),
            ran("move", 2, "", "totals", totals=renaming("middle")),
            ran("sum", 3, "clean", "totals"),
            ran("show", 3, "totals", "board", board=columns["totals"]),
        ],
    )
    for root in (dataset_named("sums"), dataset_named("totals"), Root(NodeKind.JOB, SHOP, "show")):
        found = graph_difference(asked_store, root, at(0.5), at(4))
        names = {node.id: node.name for node in found.nodes}
        assert renamed(found) == [("sums", "totals", at(2))]
        changes = {
            (sign, names[edge.from_], names[edge.to], edge.by_rename)
            for sign, edges in (("+", found.came), ("-", found.went))
            for edge in edges
        }
        kept = {
            ("-", "sum", "sums", True),
            ("+", "sum", "totals", True),
            ("-", "sums", "show", True),
            ("+", "totals", "show", True),
        }
        others = {("-", "sums", "mail", False), ("+", "move", "totals", False)}
        assert changes == kept | (others - {("-", "sums", "mail", False)} if root.kind is NodeKind.JOB else others)
    column = graph_difference(asked_store, Root(NodeKind.COLUMN, SHOP, "totals", "id"), at(0.5), at(4))
    assert renamed(column) == [("sums", "totals", at(2))]
    assert [edge.by_rename for edge in (*column.came, *column.went)] == [True, True]
    assert renamed(graph_difference(asked_store, dataset_named("totals"), at(2.5), at(4))) == []


def test_what_was_dropped_or_is_named_back_was_not_renamed(database: Store) -> None:
    dropped = {"lifecycleStateChange": facet(lifecycleStateChange="DROP")}
    take_in(
        database,
        [
            ran("make", 0, "", "one two"),
            ran("move", 1, "", "three", three=renaming("one")),
            ran("move", 2, "", "one", one=renaming("three")),
            ran("drop", 3, "", "two", two=dropped),
            ran("make", 4, "", "one two"),
            ran("move", 5, "", "four", four=renaming("two")),
            ran("drop", 6, "", "four", four=dropped),
            ran("move", 7, "", "four"),
        ],
    )
    for name in ("one", "two", "four"):
        assert renamed(graph_difference(database, dataset_named(name), at(0), at(8))) == []


JOINED = {"symlinks": facet(identifiers=[{"namespace": SHOP, "name": "raw", "type": "TABLE"}])}


@pytest.mark.parametrize("is_stated", [False, True])
def test_names_that_a_symlink_joins_are_one_dataset_that_was_renamed(database: Store, is_stated: bool) -> None:
    events = [
        ran("make", 0, "", "fresh", fresh=JOINED),
        ran("load", 1, "raw"),
        ran("other", 1, "raw"),
        ran("move", 2, "", "fresh", fresh=JOINED | (renaming("raw") if is_stated else {})),
        ran("load", 3, "fresh"),
        ran("other", 3, "raw fresh"),
    ]
    take_in(database, events)
    found = graph_difference(database, dataset_named("raw"), at(1), at(4))
    assert renamed(found) == [("raw", "fresh", at(2) if is_stated else at(3))]
    (one,) = found.renamed
    assert one.from_.id == one.to.id
    assert found.went == ()
    assert graph_difference(database, dataset_named("raw"), at(3), at(4)).renamed == ()


def test_a_symlink_that_comes_later_shows_a_rename_of_what_the_job_used(database: Store) -> None:
    started = ran("load", 2, "else", "fresh", type_="START", fresh=JOINED)
    take_in(
        database,
        [
            ran("load", 0, "raw else", "raw"),
            ran("elsewhere", 0, "more"),
            started,
            ran("load", 2, "else", "fresh"),
            ran("load", 3, "more else", "fresh"),
            ran("elsewhere", 3, "other", other=JOINED),
        ],
    )
    for name in ("raw", "fresh", "else"):
        found = graph_difference(database, dataset_named(name), at(1), at(3))
        assert renamed(found) == [("raw", "fresh", at(2))]
        assert [edge.kind for edge in (*found.came, *found.went) if edge.by_rename] == [EdgeKind.WRITES] * 2
    assert renamed(graph_difference(database, dataset_named("other"), at(1), at(4))) == []


def test_people_read_of_a_rename_in_a_line(asked_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    move = ran("load", 1, "clean", "totals", totals=renaming("sums"))
    take_in(asked_store, [ran("load", 0, "raw", "sums"), move])
    question = ["--dataset", SHOP, "totals", "--from", at(0).isoformat(), "--to", at(1).isoformat()]
    with pytest.raises(SystemExit):
        main(["graph", "diff", *question])
    first, second, *others = capsys.readouterr().out.splitlines()
    assert first.startswith("1 edges came and 1 went")
    assert second == f"= shop sums was renamed to shop totals, with 1 edge  by run {run_of('load', 1)}"
    assert [line[0] for line in others] == ["+", "-"]
    found = asked(capsys, "diff", *question)
    (one,) = found["renamed"]
    assert (one["from"]["name"], one["to"]["name"], one["event"]["run"]) == ("sums", "totals", run_of("load", 1))
    assert sorted(edge["by_rename"] for edge in (*found["came"], *found["went"])) == [False, False, True, True]
    page = client(asked_store).get(
        "/graph", params={"namespace": SHOP, "name": "sums", "compare": at(0).isoformat(), "at": at(1).isoformat()}
    )
    shown = re.sub(r"<[^>]*>|\s+", " ", page.text)
    assert "sums was renamed to totals" in re.sub(" +", " ", shown)
    assert shown.count("by a rename") == 2


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
        (["--dataset", SHOP, "clean", "--draw", "dot", "--runs"], "exclude each other"),
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
    fixed = {"complete", "at", "next", "purged_before", "waiting_since", "nodes", "edges"}
    assert set(found) == fixed | {"known_at", "published_at", "has_lost_descriptions", "cut"}
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
    events = [edge["event"] for edge in changed["came"]]
    assert {event["run"] for event in events if event} == {run_of("sum", 1)}


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
