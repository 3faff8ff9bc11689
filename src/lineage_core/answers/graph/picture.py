"""A graph as a picture, SVG, without any program or script that would have to draw it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from lineage_core.answers.graph.model import Edge, Graph, Node, NodeKind

MOST_DRAWN = 200
"""Nodes: of more, nothing can be seen."""

_WIDTH, _HEIGHT, _GAP, _STEP = 240, 44, 80, 62
"""Of a box, the gap to the next column of boxes, and from one box to the next below it, in pixels."""

_MARGIN = 12
_LONGEST = 34
"""Characters of a line within a box."""

_FILLS = {NodeKind.DATASET: "#e3eefb", NodeKind.JOB: "#fdf0d8", NodeKind.COLUMN: "#e6f4e6"}
_ROUNDED = {NodeKind.DATASET: 10, NodeKind.JOB: 0, NodeKind.COLUMN: 22}


@dataclass(frozen=True)
class _Box:
    x: int
    y: int

    @property
    def middle(self) -> int:
        return self.y + _HEIGHT // 2


def picture(graph: Graph) -> str:
    """The first nodes of the answer, `MOST_DRAWN` of them, and the edges among these, from left to right.

    Whatever names hold is text in it. Below it stands what is missing, if anything is.
    """
    nodes = graph.nodes[:MOST_DRAWN]
    drawn = {node.id for node in nodes}
    edges = [edge for edge in graph.edges if edge.from_ in drawn and edge.to in drawn]
    boxes = _boxes(nodes, edges)
    notes = list(_notes(graph, len(nodes), len(edges)))
    return "\n".join(_svg(nodes, edges, boxes, notes))


def _svg(
    nodes: Sequence[Node], edges: Sequence[Edge], boxes: Mapping[str, _Box], notes: Sequence[str]
) -> Iterator[str]:
    width = max((box.x for box in boxes.values()), default=0) + _WIDTH + _MARGIN
    below = max((box.y for box in boxes.values()), default=0) + _HEIGHT + _MARGIN
    height = below + 18 * len(notes)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="12">'
    )
    for edge in edges:
        yield _line(edge, boxes[edge.from_], boxes[edge.to])
    for node in nodes:
        yield _box(node, boxes[node.id])
    for number, note in enumerate(notes, 1):
        yield f'<text x="{_MARGIN}" y="{below + 18 * number - 6}">{_text(note)}</text>'
    yield "</svg>"


def _line(edge: Edge, start: _Box, end: _Box) -> str:
    """A curve that ends in a dot, which needs no definition that two pictures on a page would share."""
    x1, x2 = start.x + _WIDTH, end.x
    bend = _GAP // 2
    path = f"M{x1},{start.middle} C{x1 + bend},{start.middle} {x2 - bend},{end.middle} {x2},{end.middle}"
    dash = ' stroke-dasharray="4 3"' if edge.until else ""
    title = f"{edge.kind.value} {edge.since.isoformat()} to {edge.until.isoformat() if edge.until else 'now'}"
    return (
        f'<g><title>{_text(title)}</title><path d="{path}" fill="none" stroke="#667"{dash}/>'
        f'<circle cx="{x2}" cy="{end.middle}" r="3" fill="#667"/></g>'
    )


def _box(node: Node, box: _Box) -> str:
    name = f"{node.name}.{node.column}" if node.column is not None else node.name
    title = f"{node.kind.value} {node.namespace} {name}"
    x = box.x + 10
    return (
        f'<g><title>{_text(title)}</title><rect x="{box.x}" y="{box.y}" width="{_WIDTH}" height="{_HEIGHT}"'
        f' rx="{_ROUNDED[node.kind]}" fill="{_FILLS[node.kind]}" stroke="#667"/>'
        f'<text x="{x}" y="{box.y + 18}" fill="#556" font-size="10">{_text(_short(node.namespace))}</text>'
        f'<text x="{x}" y="{box.y + 34}" fill="#111">{_text(_short(name))}</text></g>'
    )


def _short(text: str) -> str:
    """The end of a long name tells more than its begin."""
    return text if len(text) <= _LONGEST else f"…{text[1 - _LONGEST :]}"


def _text(text: str) -> str:
    """What does not print is no character of XML, or turns the direction of text: it becomes a question mark."""
    return escape("".join(one if one.isprintable() else "?" for one in text))


def _notes(graph: Graph, nodes: int, edges: int) -> Iterator[str]:
    if nodes < len(graph.nodes) or edges < len(graph.edges):
        yield f"Drawn are {nodes} of {len(graph.nodes)} nodes and {edges} of {len(graph.edges)} edges of the answer."
    if not graph.complete:
        yield "The answer is not complete."


def _boxes(nodes: Sequence[Node], edges: Sequence[Edge]) -> dict[str, _Box]:
    columns = _columns([node.id for node in nodes], [(edge.from_, edge.to) for edge in edges])
    taken = Counter[int]()
    boxes = {}
    for node in nodes:
        column = columns[node.id]
        boxes[node.id] = _Box(_MARGIN + column * (_WIDTH + _GAP), _MARGIN + taken[column] * _STEP)
        taken[column] += 1
    return boxes


def _columns(ids: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Each behind all that leads to it. Of a circle the first one in the order of the answer begins it."""
    behind = defaultdict[str, list[str]](list)
    open_ = dict.fromkeys(ids, 0)
    for from_, to in set(pairs):
        behind[from_].append(to)
        open_[to] += 1
    columns = dict.fromkeys(ids, 0)
    waiting = dict.fromkeys(ids)
    while waiting:
        one = next((id_ for id_ in waiting if open_[id_] == 0), next(iter(waiting)))
        del waiting[one]
        for other in behind[one]:
            open_[other] -= 1
            if other in waiting:
                columns[other] = max(columns[other], columns[one] + 1)
    return columns
