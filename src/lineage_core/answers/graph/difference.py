"""What came and went in the lineage graph around one thing, between two moments."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime

from lineage_core.answers.graph.graph import BOTH, DEPTH, MOST_NODES, graph_in, graph_snapshot
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import Edge, Graph, GraphEvent, Node, Root
from lineage_core.answers.graph.orders import time_of
from lineage_core.answers.graph.store import runs_of_events
from lineage_core.answers.graph.walking import Direction
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store


@dataclass(frozen=True)
class GraphDifference:
    """The two moments are compared: what came and went in between is in neither.

    complete: whether both graphs were. Of a graph that is not complete an edge may be missing that held, so that only
    edges are listed which began, or ended, between the two. nodes: the ends of the edges.

    An edge has the event that made it come or go; None if it held at both moments, and what led to it came or went. Of
    what was known, an edge that came has the event that began it, and one that is ended by no event of then has none.
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
        has_late = from_known is not None or to_known is not None
        came = _with_events(connection, came, lambda edge: edge.since_event if has_late or edge.since > from_ else None)
        went = _with_events(
            connection, went, lambda edge: edge.until_event if edge.until and edge.until <= to else None
        )
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


def _with_events(
    connection: Connection, edges: Collection[Edge], order_of: Callable[[Edge], bytes | None]
) -> tuple[Edge, ...]:
    """order_of: the place in the order of events of what made an edge come or go; None if no event did."""
    orders = [order_of(edge) for edge in edges]
    runs = runs_of_events(connection, {order for order in orders if order is not None})
    return tuple(
        edge if order is None else replace(edge, event=GraphEvent(order.hex(), time_of(order), runs.get(order)))
        for edge, order in zip(edges, orders, strict=True)
    )


def _without(graph: Graph, other: Graph) -> tuple[Edge, ...]:
    known = {(edge.from_, edge.to, edge.kind) for edge in other.edges}
    return tuple(edge for edge in graph.edges if (edge.from_, edge.to, edge.kind) not in known)
