"""What came and went in the lineage graph around one thing, between two moments."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from lineage_core.answers.graph.graph import BOTH, DEPTH, MOST_NODES, graph_in, graph_snapshot
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import Edge, Graph, Node, Root
from lineage_core.answers.graph.walking import Direction
from lineage_core.postgres.store import Store


@dataclass(frozen=True)
class GraphDifference:
    """The two moments are compared: what came and went in between is in neither.

    complete: whether both graphs were. Of a graph that is not complete an edge may be missing that held, so that only
    edges are listed which began, or ended, between the two. nodes: the ends of the edges.
    """

    complete: bool
    from_: datetime
    to: datetime
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
    from_known: KnownAt | None = None,
    to_known: KnownAt | None = None,
) -> GraphDifference:
    """As of `graph_of` at either moment, with what that raises.

    from_known, to_known: when either graph was known so; None for what is known now. Of one moment, the difference is
    what late events have changed about it.
    """
    with graph_snapshot(store, from_known, to_known) as connection:
        before, after = (
            graph_in(connection, root, at=at, directions=directions, depth=depth, most=most, known=known)
            for at, known in ((from_, from_known), (to, to_known))
        )
    came = tuple(edge for edge in _without(after, before) if before.complete or edge.since > from_)
    went = tuple(edge for edge in _without(before, after) if after.complete or (edge.until and edge.until <= to))
    ends = {end for edge in (*came, *went) for end in (edge.from_, edge.to)}
    nodes = {node.id: node for node in (*before.nodes, *after.nodes) if node.id in ends}
    return GraphDifference(
        before.complete and after.complete,
        from_,
        to,
        tuple(nodes.values()),
        came,
        went,
    )


def _without(graph: Graph, other: Graph) -> tuple[Edge, ...]:
    known = {(edge.from_, edge.to, edge.kind) for edge in other.edges}
    return tuple(edge for edge in graph.edges if (edge.from_, edge.to, edge.kind) not in known)
