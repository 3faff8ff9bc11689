"""A graph in the words of other tools: DOT of Graphviz, Mermaid, and W3C's PROV-O as Turtle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from urllib.parse import quote

from lineage_core.answers.graph.model import Edge, EdgeKind, Graph, Node, NodeKind

_DOT_SHAPES = {NodeKind.DATASET: "cylinder", NodeKind.JOB: "box", NodeKind.COLUMN: "plain"}
_MERMAID_SHAPES = {NodeKind.DATASET: '[("{}")]', NodeKind.JOB: '["{}"]', NodeKind.COLUMN: '(["{}"])'}
_PROV_CLASSES = {NodeKind.DATASET: "prov:Entity", NodeKind.JOB: "prov:Activity", NodeKind.COLUMN: "prov:Entity"}


class DrawingFormat(Enum):
    DOT = "dot"
    MERMAID = "mermaid"
    PROV = "prov"


def drawn(graph: Graph, drawing_format: DrawingFormat) -> Iterator[str]:
    """Lines of the text. An end of an edge that is on another page of the answer stands by its id."""
    return _DRAWINGS[drawing_format](graph)


def _dot(graph: Graph) -> Iterator[str]:
    numbers = _numbers(graph)
    yield "digraph lineage {"
    yield "  rankdir=LR"
    for node in graph.nodes:
        yield f"  {numbers[node.id]} [label={_dot_text(_label(node))}, shape={_DOT_SHAPES[node.kind]}]"
    for id_ in _ends_of_other_pages(graph):
        yield f"  {numbers[id_]} [label={_dot_text(id_)}, style=dashed]"
    for edge in graph.edges:
        yield f"  {numbers[edge.from_]} -> {numbers[edge.to]} [tooltip={_dot_text(_span(edge))}]"
    yield "}"


def _dot_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _mermaid(graph: Graph) -> Iterator[str]:
    numbers = _numbers(graph)
    yield "flowchart LR"
    for node in graph.nodes:
        yield f"  {numbers[node.id]}{_MERMAID_SHAPES[node.kind].format(_mermaid_text(_label(node)))}"
    for id_ in _ends_of_other_pages(graph):
        yield f'  {numbers[id_]}["{_mermaid_text(id_)}"]'
    for edge in graph.edges:
        yield f"  {numbers[edge.from_]} -->|{edge.kind.value}| {numbers[edge.to]}"


def _mermaid_text(text: str) -> str:
    """Everything but letters, digits and a few marks as an entity, as Mermaid takes words of its own out of labels."""
    lines = (
        "".join(one if one.isalnum() or one in " ._-:/" else f"#{ord(one)};" for one in line)
        for line in text.split("\n")
    )
    return "<br/>".join(lines)


def _prov(graph: Graph) -> Iterator[str]:
    yield "@prefix prov: <http://www.w3.org/ns/prov#> ."
    yield "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    for node in graph.nodes:
        yield f"{_iri(node.id)} a {_PROV_CLASSES[node.kind]} ; rdfs:label {_turtle_text(_label(node))} ."
    for edge in graph.edges:
        yield f"{_prov_statement(edge)} ."


def _prov_statement(edge: Edge) -> str:
    match edge.kind:
        case EdgeKind.READS:
            return f"{_iri(edge.to)} prov:used {_iri(edge.from_)}"
        case EdgeKind.WRITES:
            return f"{_iri(edge.to)} prov:wasGeneratedBy {_iri(edge.from_)}"
        case EdgeKind.DERIVES:
            return f"{_iri(edge.to)} prov:wasDerivedFrom {_iri(edge.from_)}"


def _iri(id_: str) -> str:
    uuid, _, column = id_.partition("/")
    fragment = "#" + quote(column, safe="") if column else ""
    return f"<urn:uuid:{uuid}{fragment}>"


def _turtle_text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _ends_of_other_pages(graph: Graph) -> list[str]:
    here = {node.id for node in graph.nodes}
    ends = dict.fromkeys(end for edge in graph.edges for end in (edge.from_, edge.to))
    return [end for end in ends if end not in here]


def _numbers(graph: Graph) -> Mapping[str, str]:
    ids = [*(node.id for node in graph.nodes), *(end for edge in graph.edges for end in (edge.from_, edge.to))]
    return {id_: f"n{number}" for number, id_ in enumerate(dict.fromkeys(ids))}


def _label(node: Node) -> str:
    return f"{node.namespace}\n{node.name}" + (f"\n{node.column}" if node.column else "")


def _span(edge: Edge) -> str:
    def written(time: datetime | None) -> str:
        return time.isoformat() if time else "now"

    return f"{edge.kind.value} {written(edge.since)} to {written(edge.until)}"


_DRAWINGS: Mapping[DrawingFormat, Callable[[Graph], Iterator[str]]] = {
    DrawingFormat.DOT: _dot,
    DrawingFormat.MERMAID: _mermaid,
    DrawingFormat.PROV: _prov,
}
