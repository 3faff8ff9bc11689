"""What came and went in the lineage graph around one thing, between two moments."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from lineage_core.answers.graph.graph import BOTH, DEPTH, MOST_NODES, graph_of
from lineage_core.answers.graph.model import Edge, Graph, Node, Root
from lineage_core.answers.graph.walking import Direction
from lineage_core.postgres.store import Store


@dataclass(frozen=True)
class GraphDifference:
    """The two moments are compared: what came and went in between is in neither.

    complete: whether both graphs were. next: where the one that was cut goes on. nodes: the ends of the edges.
    """

    complete: bool
    from_: datetime
    to: datetime
    next: str | None
    nodes: tuple[Node, ...]
    came: tuple[Edge, ...]
    went: tuple[Edge, ...]


def graph_difference(
    store: Store,
    root: Root,
    from_: datetime,
    to: datetime,
    *,
    directions: Collection[Direction] = BOTH,
    depth: int = DEPTH,
    most: int = MOST_NODES,
) -> GraphDifference:
    """As of `graph_of` at either moment, with what that raises."""
    before = graph_of(store, root, at=from_, directions=directions, depth=depth, most=most)
    after = graph_of(store, root, at=to, directions=directions, depth=depth, most=most)
    came, went = _without(after, before), _without(before, after)
    ends = {end for edge in (*came, *went) for end in (edge.from_, edge.to)}
    nodes = {node.id: node for node in (*before.nodes, *after.nodes) if node.id in ends}
    return GraphDifference(
        before.complete and after.complete,
        from_,
        to,
        before.next or after.next,
        tuple(nodes.values()),
        came,
        went,
    )


def _without(graph: Graph, other: Graph) -> tuple[Edge, ...]:
    known = {(edge.from_, edge.to, edge.kind) for edge in other.edges}
    return tuple(edge for edge in graph.edges if (edge.from_, edge.to, edge.kind) not in known)
