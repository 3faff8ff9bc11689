"""Graphs that are asked for in parts: pages, depths, and what an answer says of what it leaves out."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from lineage_core.answers.graph.difference import graph_difference
from lineage_core.answers.graph.drawing import DrawingFormat, drawn
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.known import KnownAt, NotKnownThen
from lineage_core.answers.graph.model import Graph, Root
from lineage_core.cli import main
from lineage_core.client import Client
from lineage_core.errors import WrongUsage
from lineage_core.ingest.event_files import find
from lineage_core.ingest.ingestion import ingest
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store
from lineage_core.testing import Document
from tests.postgres.test_graph import SHOP, asked, asked_store, at, dataset_named, ran
from tests.postgres.test_graph_as_known import published, started
from tests.postgres.test_mcp import answer
from tests.support.stores import take_in

__all__ = ["asked_store"]

pytestmark = pytest.mark.postgres

LONG = [ran(f"job {number}", number, f"table_{number}", f"table_{number + 1}") for number in range(30)]
"""A chain of 30 jobs."""


def tangle(number: int) -> list[Document]:
    """Jobs that read and write a few tables, so that most of these are both upstream and downstream of each other."""
    random = Random(number)
    tables = [f"table_{one}" for one in range(random.randint(3, 9))]

    def some() -> str:
        return " ".join(random.sample(tables, random.randint(0, 2)))

    others = [ran(f"job {one}", one, some(), some()) for one in range(random.randint(3, 12))]
    return [ran("begin", 0, "table_0", "table_1"), *others]


def pages(store: Store, root: Root, most: int) -> list[Graph]:
    found = [graph_of(store, root, most=most)]
    while found[-1].next:
        found.append(graph_of(store, root, most=most, after=found[-1].next))
    return found


def ends(graph: Graph) -> Counter[tuple[str, str]]:
    return Counter((edge.from_, edge.to) for edge in graph.edges)


def test_an_edge_back_is_on_a_page_though_both_its_ends_are_on_earlier_ones(database: Store) -> None:
    take_in(database, [ran("first", 0, "raw", "clean"), ran("second", 1, "raw clean", "sums")])
    whole = graph_of(database, dataset_named("raw"))
    found = pages(database, dataset_named("raw"), 1)
    assert sum(map(ends, found), Counter()) == ends(whole)
    assert [one.complete for one in found] == [*[False] * (len(found) - 1), True]


@pytest.mark.parametrize("number", range(6))
def test_pages_of_any_size_have_each_node_and_each_edge_once(database: Store, number: int) -> None:
    take_in(database, tangle(number))
    whole = graph_of(database, dataset_named("table_0"))
    for most in range(1, len(whole.nodes) + 1):
        found = pages(database, dataset_named("table_0"), most)
        assert [node for one in found for node in one.nodes] == list(whole.nodes), most
        assert sum(map(ends, found), Counter()) == ends(whole), most


def test_a_graph_goes_as_far_as_there_are_edges_unless_a_depth_is_given(
    asked_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(asked_store, LONG)
    whole = asked(capsys, "--dataset", SHOP, "table_0")
    assert (len(whole["edges"]), whole["complete"], whole["cut"]) == (60, True, [])
    part = asked(capsys, "--dataset", SHOP, "table_0", "--depth", "20")
    assert (len(part["edges"]), part["complete"], part["cut"]) == (20, True, ["depth"])
    assert asked(capsys, "--dataset", SHOP, "table_0", "--depth", "61")["cut"] == []
    with pytest.raises(SystemExit):
        main(["graph", "--dataset", SHOP, "table_0", "--depth", "20"])
    assert capsys.readouterr().out.splitlines()[-1] == "Edges may lead on from where --depth ends."
    change = asked(
        capsys, "diff", "--dataset", SHOP, "table_0", "--from", at(-1).isoformat(), "--to", at(40).isoformat()
    )
    assert (len(change["came"]), change["cut"]) == (60, [])


def test_an_agent_is_not_shown_a_depth_as_the_whole(database: Store) -> None:
    take_in(database, LONG)
    named = {"kind": "dataset", "namespace": SHOP, "name": "table_0"}
    reader = ReaderStore(database.dsn)
    found = answer(reader, "graph", **named)
    assert (found["complete"], found["cut"]) == (False, ["depth"])
    change = answer(
        ReaderStore(database.dsn), "graph_diff", **named, earlier=at(-1).isoformat(), later=at(40).isoformat()
    )
    assert (change["complete"], change["cut"]) == (False, ["depth"])
    last = named | {"name": "table_28", "direction": "down"}
    assert [answer(reader, "graph", **last, depth=depth)["complete"] for depth in (4, 5)] == [
        False,
        True,
    ]


def test_a_difference_says_what_it_lacks(
    asked_store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(asked_store, LONG)
    (tmp_path / "late.json").write_text(json.dumps(ran("late", 50, "table_0")))
    ingest(asked_store, find([str(tmp_path / "late.json")]))
    spans = ["--dataset", SHOP, "table_0", "--from", at(-1).isoformat(), "--to", at(40).isoformat()]
    found = asked(capsys, "diff", *spans, "--limit", "5")
    assert (found["complete"], found["cut"], found["waiting_since"] is None) == (False, ["nodes"], False)
    with pytest.raises(SystemExit):
        main(["graph", "diff", *spans, "--limit", "5"])
    *_, cut, waits = capsys.readouterr().out.splitlines()
    assert cut.startswith("Not complete: one of the two graphs has more nodes.")
    assert waits.startswith("Events wait since ")


def test_what_was_not_known_then_has_come_since(database: Store, tmp_path: Path) -> None:
    started(database)
    take_in(database, [ran("load", 0, "raw", "clean")])
    known = KnownAt(published(database, tmp_path), str(tmp_path))
    take_in(database, [ran("sum", 0, "clean", "sums")])
    published(database, tmp_path)
    found = graph_difference(database, dataset_named("sums"), at(1), at(1), from_known=known)
    assert (len(found.came), found.went, found.complete) == (4, (), True)
    back = graph_difference(database, dataset_named("sums"), at(1), at(1), to_known=known)
    assert (len(back.went), back.came) == (4, ())
    with pytest.raises(NotKnownThen, match="The dataset 'sums' of the namespace 'shop' was not known then"):
        graph_of(database, dataset_named("sums"), known=known)
    with pytest.raises(NotKnownThen):
        graph_difference(database, dataset_named("sums"), at(1), at(1), from_known=known, to_known=known)
    with pytest.raises(WrongUsage, match="No event has named the dataset 'other'"):
        graph_difference(database, dataset_named("other"), at(1), at(1), from_known=known)


@pytest.mark.parametrize("cursor", ["behind", "3", "-5@", "99999999999999999999@", "3@soon", "³@", ""])
def test_another_text_is_no_cursor(database: Store, cursor: str) -> None:
    take_in(database, LONG[:1])
    with pytest.raises(WrongUsage, match="no cursor"):
        graph_of(database, dataset_named("table_0"), after=cursor)


@pytest.mark.parametrize("option", ["--at", "--known-at"])
def test_a_time_that_is_empty_is_not_now(asked_store: Store, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    take_in(asked_store, LONG[:1])
    with pytest.raises(SystemExit):
        main(["graph", "--dataset", SHOP, "table_0", option, ""])
    assert f"{option} '' is not an ISO 8601 date and time" in capsys.readouterr().err


def test_nor_is_it_to_a_notebook(database: Store) -> None:
    take_in(database, LONG[:1])
    with pytest.raises(WrongUsage, match="at ''"):
        Client(database.dsn).graph(dataset=(SHOP, "table_0"), at="")
    with pytest.raises(WrongUsage, match="known_at ''"):
        Client(database.dsn).graph(dataset=(SHOP, "table_0"), known_at="")


def test_a_limit_is_of_one_node_or_more(database: Store) -> None:
    take_in(database, LONG[:1])
    with pytest.raises(WrongUsage, match="limit"):
        Client(database.dsn).graph(dataset=(SHOP, "table_0"), limit=0)


def test_a_drawing_declares_ends_that_are_on_other_pages(database: Store) -> None:
    take_in(database, LONG[:3])
    first, second, *_ = pages(database, dataset_named("table_0"), 3)
    (edge,) = [edge for edge in second.edges if edge.from_ not in {node.id for node in second.nodes}]
    assert edge.from_ in {node.id for node in first.nodes}
    dot = "\n".join(drawn(second, DrawingFormat.DOT))
    assert f'[label="{edge.from_}", style=dashed]' in dot
    assert edge.from_ in "\n".join(drawn(second, DrawingFormat.MERMAID))
