"""A graph, and the difference of two, as JSON: for the command line and for pages."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NotRequired

from typing_extensions import TypedDict

from lineage_core.answers.graph.model import EdgeKind, NodeKind

if TYPE_CHECKING:
    from lineage_core.answers.graph.difference import GraphDifference
    from lineage_core.answers.graph.model import DatasetElsewhere, Edge, Graph, GraphEvent, Node


class NodeDocument(TypedDict):
    """A dataset, a job or a column; `name` of a column is that of its dataset."""

    id: str
    kind: NodeKind
    namespace: str
    name: str
    column: str | None


_Ends = TypedDict("_Ends", {"from": str, "to": str})


class EdgeDocument(_Ends):
    """Between the ids of two nodes, in the direction in which data flows. It holds for since <= T < until, by the time
    of events. runs: how many confirmed it. run, version: what last flowed, if that was asked for."""

    kind: EdgeKind
    since: datetime
    until: datetime | None
    last_seen: datetime | None
    runs: int
    run: NotRequired[str | None]
    version: NotRequired[str | None]


class EventDocument(TypedDict):
    """id: its place in the order of events, in hexadecimal digits. run: null of an event of no run, or where retention
    has deleted it."""

    id: str
    time: datetime
    run: str | None


class ChangedEdge(EdgeDocument):
    """event: what made it come or go. by_rename: whether it went with the old name of a dataset and came with the new
    one."""

    event: EventDocument | None
    by_rename: bool


_BothNames = TypedDict("_BothNames", {"from": NodeDocument, "to": NodeDocument})


class RenameDocument(_BothNames):
    """A dataset under its two names, and the event that shows it."""

    event: EventDocument


class ElsewhereDocument(TypedDict):
    """A dataset that another store knows. id: of the dataset here. namespace, name: what that store calls it.
    by_symlink: whether a symlink joins the two. goes_on: whether jobs there read or write it."""

    id: str
    store: str
    namespace: str
    name: str
    by_symlink: bool
    goes_on: bool


class BorderDocument(TypedDict):
    """Where there are several stores. unasked_stores: why some could not be asked, by name."""

    elsewhere: NotRequired[list[ElsewhereDocument]]
    unasked_stores: NotRequired[dict[str, str]]


class GraphDocument(BorderDocument):
    """next: `after` of the next page. purged_before: retention has deleted what held only before. waiting_since: since
    when an event waits that is in no table. known_at: null for what is known now. cut: what was left out."""

    complete: bool
    at: datetime
    next: str | None
    purged_before: datetime | None
    waiting_since: datetime | None
    known_at: datetime | None
    published_at: datetime | None
    has_lost_descriptions: bool
    cut: list[str]
    nodes: list[NodeDocument]
    edges: list[EdgeDocument]


_BothMoments = TypedDict("_BothMoments", {"from": datetime, "to": datetime})


class DifferenceDocument(_BothMoments, BorderDocument):
    """What came and went between two moments: edges, and the nodes at their ends. Others are those of a graph."""

    complete: bool
    purged_before: datetime | None
    waiting_since: datetime | None
    known_at: datetime | None
    published_at: datetime | None
    to_known_at: datetime | None
    to_published_at: datetime | None
    has_lost_descriptions: bool
    cut: list[str]
    nodes: list[NodeDocument]
    came: list[ChangedEdge]
    went: list[ChangedEdge]
    renamed: list[RenameDocument]


def graph_document(found: Graph, with_runs: bool = False) -> GraphDocument:
    """with_runs: whether each edge has the run and the version that last flowed, too."""
    return {
        "complete": found.complete,
        "at": found.at,
        "next": found.next,
        "purged_before": found.purged_before,
        "waiting_since": found.waiting_since,
        "known_at": found.known_at,
        "published_at": found.published_at,
        "has_lost_descriptions": found.has_lost_descriptions,
        "cut": _cut(found),
        "nodes": [_node(node) for node in found.nodes],
        "edges": [_with_flow(edge) if with_runs else _edge(edge) for edge in found.edges],
        **_borders(found),
    }


def _cut(found: Graph | GraphDifference) -> list[str]:
    """What the question has left out: `depth` where edges may lead on from the last hop."""
    return ["depth"] if found.ends_at_depth else []


def _borders(found: Graph | GraphDifference) -> BorderDocument:
    if found.elsewhere is None:
        return {}
    return {
        "elsewhere": [_elsewhere(one) for one in found.elsewhere],
        "unasked_stores": dict(found.unasked_stores),
    }


def _elsewhere(dataset: DatasetElsewhere) -> ElsewhereDocument:
    return {
        "id": dataset.id,
        "store": dataset.store,
        "namespace": dataset.namespace,
        "name": dataset.name,
        "by_symlink": dataset.by_symlink,
        "goes_on": dataset.goes_on,
    }


def difference_document(found: GraphDifference) -> DifferenceDocument:
    """What came and went between two moments."""
    return {
        "complete": found.complete,
        "from": found.from_,
        "to": found.to,
        "purged_before": found.purged_before,
        "waiting_since": found.waiting_since,
        "known_at": found.before.known_at,
        "published_at": found.before.published_at,
        "to_known_at": found.after.known_at,
        "to_published_at": found.after.published_at,
        "has_lost_descriptions": found.has_lost_descriptions,
        "cut": [*(["nodes"] if found.is_cut else []), *_cut(found)],
        "nodes": [_node(node) for node in found.nodes],
        "came": [_change(edge) for edge in found.came],
        "went": [_change(edge) for edge in found.went],
        "renamed": [
            {"from": _node(one.from_), "to": _node(one.to), "event": _event(one.event)} for one in found.renamed
        ],
        **_borders(found),
    }


def _node(node: Node) -> NodeDocument:
    return {
        "id": node.id,
        "kind": node.kind,
        "namespace": node.namespace,
        "name": node.name,
        "column": node.column,
    }


def _edge(edge: Edge) -> EdgeDocument:
    return {
        "from": edge.from_,
        "to": edge.to,
        "kind": edge.kind,
        "since": edge.since,
        "until": edge.until,
        "last_seen": edge.last_seen,
        "runs": edge.runs,
    }


def _with_flow(edge: Edge) -> EdgeDocument:
    return {**_edge(edge), "run": edge.run, "version": edge.version}


def _change(edge: Edge) -> ChangedEdge:
    return {**_edge(edge), "event": _event(edge.event) if edge.event else None, "by_rename": edge.by_rename}


def _event(event: GraphEvent) -> EventDocument:
    return {"id": event.id, "time": event.time, "run": event.run}
