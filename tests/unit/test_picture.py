"""The picture of a graph: each thing right of what it was made of, and nothing left out in silence."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

from lineage_core.answers.graph.model import Edge, EdgeKind, Graph, Node, NodeKind
from lineage_core.answers.graph.picture import MOST_DRAWN, picture
from lineage_core.testing import TIME


def _graph(nodes: int, pairs: list[tuple[int, int]]) -> Graph:
    made = (Node(str(number), NodeKind.JOB, "shop", f"job {number}") for number in range(nodes))
    edges = (Edge(str(from_), str(to), EdgeKind.READS, TIME, None, TIME, 1) for from_, to in pairs)
    return Graph(True, TIME, None, tuple(made), tuple(edges))


def _places(graph: Graph) -> list[tuple[int, int]]:
    boxes = ElementTree.fromstring(picture(graph)).findall(".//{*}rect")
    return [(int(box.attrib["x"]), int(box.attrib["y"])) for box in boxes]


def test_what_is_made_of_something_stands_to_the_right_of_it() -> None:
    pairs = [(2, 0), (0, 1), (2, 1), (1, 3)]
    places = _places(_graph(4, pairs))
    assert all(places[from_][0] < places[to][0] for from_, to in pairs)


def test_a_circle_is_drawn_and_no_box_covers_another() -> None:
    places = _places(_graph(6, [*pairwise(range(6)), (5, 0), (3, 3)]))
    assert len(set(places)) == 6


def test_a_graph_without_edges_or_nodes_is_a_picture_too() -> None:
    assert _places(_graph(0, [])) == []
    assert len(set(_places(_graph(3, [])))) == 3


def test_what_is_not_drawn_is_counted() -> None:
    large = _graph(MOST_DRAWN + 5, [*pairwise(range(MOST_DRAWN + 5))])
    assert f"Drawn are {MOST_DRAWN} of {MOST_DRAWN + 5} nodes" in picture(large)
    assert "Drawn are" not in picture(_graph(3, [(0, 1)]))
