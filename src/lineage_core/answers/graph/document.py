"""A graph, and the difference of two, as JSON: for the command line and for pages."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_core.answers.graph.difference import GraphDifference
    from lineage_core.answers.graph.model import Edge, Graph, GraphEvent, Node


def graph_document(found: Graph, with_runs: bool = False) -> dict[str, Any]:
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
        "edges": [_edge(edge) | (_flow(edge) if with_runs else {}) for edge in found.edges],
    } | _borders(found)


def _cut(found: Graph | GraphDifference) -> list[str]:
    """What the question has left out: `depth` where edges may lead on from the last hop."""
    return ["depth"] if found.ends_at_depth else []


def _borders(found: Graph | GraphDifference) -> dict[str, Any]:
    """Of several stores."""
    if found.elsewhere is None:
        return {}
    return {"elsewhere": [asdict(one) for one in found.elsewhere], "unasked_stores": dict(found.unasked_stores)}


def difference_document(found: GraphDifference) -> dict[str, Any]:
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
    } | _borders(found)


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "kind": node.kind.value,
        "namespace": node.namespace,
        "name": node.name,
        "column": node.column,
    }


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "from": edge.from_,
        "to": edge.to,
        "kind": edge.kind.value,
        "since": edge.since,
        "until": edge.until,
        "last_seen": edge.last_seen,
        "runs": edge.runs,
    }


def _flow(edge: Edge) -> dict[str, Any]:
    return {"run": edge.run, "version": edge.version}


def _change(edge: Edge) -> dict[str, Any]:
    return _edge(edge) | {"event": edge.event and _event(edge.event), "by_rename": edge.by_rename}


def _event(event: GraphEvent) -> dict[str, Any]:
    return {"id": event.id, "time": event.time, "run": event.run}
