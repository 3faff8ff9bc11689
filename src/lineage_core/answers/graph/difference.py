"""What came and went in the lineage graph around one thing, between two moments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from lineage_core.answers.graph.graph import BOTH, MOST_NODES, graph_in, graph_snapshot
from lineage_core.answers.graph.known import KnownAt, NotKnownThen, shown_as_known
from lineage_core.answers.graph.model import (
    DatasetElsewhere,
    DatasetRename,
    Edge,
    Graph,
    GraphEvent,
    Node,
    NodeKind,
    Root,
)
from lineage_core.answers.graph.orders import order_behind, time_of
from lineage_core.answers.graph.renames import (
    Rename,
    Window,
    each_once,
    going_on,
    key_of,
    renamed_from,
    renamed_into,
    renames_between,
)
from lineage_core.answers.graph.store import has_column, place_or_none, runs_of_events
from lineage_core.answers.graph.walking import Direction
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store


@dataclass(frozen=True)
class GraphDifference:
    """The two moments are compared: what came and went in between is in neither.

    complete: whether both graphs were. Of a graph that is not complete an edge may be missing that held, so that only
    edges are listed which began, or ended, between the two. nodes: the ends of the edges. renamed: datasets that both
    graphs have, under different names; their edges are in `came` and `went`, too, marked where both are.

    before, after: the two graphs, which say what they lack. elsewhere: datasets of either that other stores know, and
    where lineage goes on there at either moment; None where there is one store. unasked_stores: those that could not be
    asked, and why.

    An edge has the event that made it come or go; None if it held at both moments, and what led to it came or went. Of
    what was known, an edge that came has the event that began it, and one that is ended by no event of then has none.
    """

    complete: bool
    from_: datetime
    to: datetime
    nodes: tuple[Node, ...]
    came: tuple[Edge, ...]
    went: tuple[Edge, ...]
    renamed: tuple[DatasetRename, ...]
    before: Graph
    after: Graph
    elsewhere: tuple[DatasetElsewhere, ...] | None = None
    unasked_stores: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_cut(self) -> bool:
        """Whether one of the two graphs has more nodes than were asked for."""
        return bool(self.before.next or self.after.next)

    @property
    def ends_at_depth(self) -> bool:
        return self.before.ends_at_depth or self.after.ends_at_depth

    @property
    def purged_before(self) -> datetime | None:
        return self.before.purged_before or self.after.purged_before

    @property
    def waiting_since(self) -> datetime | None:
        return self.before.waiting_since or self.after.waiting_since

    @property
    def has_lost_descriptions(self) -> bool:
        return self.before.has_lost_descriptions or self.after.has_lost_descriptions


def graph_difference(
    store: Store,
    root: Root,
    from_: datetime,
    to: datetime,
    *,
    directions: Collection[Direction] = BOTH,
    depth: int | None = None,
    most: int = MOST_NODES,
    from_known: KnownAt | None = None,
    to_known: KnownAt | None = None,
) -> GraphDifference:
    """As of `graph_of` at either moment, with what that raises. Where the root has no edge at one of them, and was
    renamed in between, it is meant under the name that it had then. Where one of the two graphs is as known when no
    event had named the root, it has no edges.

    from_known, to_known: when either graph was known so; None for what is known now. Of one moment, the difference is
    what late events have changed about it.
    """
    graph = partial(_graph, directions=directions, depth=depth, most=most)
    window = Window(order_behind(from_), order_behind(to))
    with graph_snapshot(store, from_known, to_known) as connection:
        before, after = (
            graph(connection, root, at=at, known=known) for at, known in ((from_, from_known), (to, to_known))
        )
        if not before.nodes and not after.nodes:
            raise NotKnownThen(root)
        with shown_as_known(connection, to_known):
            of_root = _rename_of(connection, root, before, after, window)
        if of_root and before.edges:
            after = graph(connection, _named(root, of_root.to), at=to, known=to_known)
        elif of_root:
            before = graph(connection, _named(root, of_root.from_), at=from_, known=from_known)
        with shown_as_known(connection, to_known):
            between = renames_between(connection, before, after, window)
        renames = each_once([of_root, *between] if of_root else between)
        came = tuple(edge for edge in _without(after, before) if before.complete or edge.since > from_)
        went = tuple(edge for edge in _without(before, after) if after.complete or (edge.until and edge.until <= to))
        has_late = from_known is not None or to_known is not None
        came = _with_events(connection, came, lambda edge: edge.since_event if has_late or edge.since > from_ else None)
        went = _with_events(
            connection, went, lambda edge: edge.until_event if edge.until and edge.until <= to else None
        )
        renamed = _with_runs(connection, renames)
    ends = {end for edge in (*came, *went) for end in (edge.from_, edge.to)}
    nodes = {node.id: node for node in (*before.nodes, *after.nodes) if node.id in ends}
    goes_on = going_on(came, went, renames)
    came, went = (tuple(replace(edge, by_rename=key_of(edge) in goes_on) for edge in edges) for edges in (came, went))
    return GraphDifference(
        before.complete and after.complete,
        from_,
        to,
        tuple(nodes.values()),
        came,
        went,
        renamed,
        before,
        after,
    )


def _graph(
    connection: Connection,
    root: Root,
    *,
    at: datetime,
    directions: Collection[Direction],
    depth: int | None,
    most: int,
    known: KnownAt | None,
) -> Graph:
    """Without nodes where the root was not known then."""
    try:
        return graph_in(connection, root, at=at, directions=directions, depth=depth, most=most, known=known)
    except NotKnownThen:
        return Graph(complete=True, at=at, next=None, nodes=(), edges=(), known_at=known.moment if known else None)


def _rename_of(connection: Connection, root: Root, before: Graph, after: Graph, window: Window) -> Rename | None:
    """That of the root, or of the dataset of a column, if it has edges at one of the two moments alone."""
    if root.kind is NodeKind.JOB or bool(before.edges) == bool(after.edges):
        return None
    dataset = place_or_none(connection, replace(root, kind=NodeKind.DATASET, column=None))
    if dataset is None:
        return None
    if before.edges:
        found = (one for one in renamed_from(connection, [dataset.uuid], window) if _has(connection, one.to, root))
    else:
        found = (one for one in renamed_into(connection, dataset.uuid, window) if _has(connection, one.from_, root))
    return next(found, None)


def _named(root: Root, dataset: Node) -> Root:
    return Root(root.kind, dataset.namespace, dataset.name, root.column)


def _has(connection: Connection, dataset: Node, root: Root) -> bool:
    """Whether it has the column that was asked for, if one was."""
    return root.column is None or has_column(connection, dataset.id, root.column)


def _with_runs(connection: Connection, renames: Collection[Rename]) -> tuple[DatasetRename, ...]:
    runs = runs_of_events(connection, {one.event_order for one in renames})
    return tuple(DatasetRename(one.from_, one.to, _event(one.event_order, runs)) for one in renames)


def _event(order: bytes, runs: Mapping[bytes, str]) -> GraphEvent:
    return GraphEvent(order.hex(), time_of(order), runs.get(order))


def _with_events(
    connection: Connection, edges: Collection[Edge], order_of: Callable[[Edge], bytes | None]
) -> tuple[Edge, ...]:
    """order_of: the place in the order of events of what made an edge come or go; None if no event did."""
    orders = [order_of(edge) for edge in edges]
    runs = runs_of_events(connection, {order for order in orders if order is not None})
    return tuple(
        edge if order is None else replace(edge, event=_event(order, runs))
        for edge, order in zip(edges, orders, strict=True)
    )


def _without(graph: Graph, other: Graph) -> tuple[Edge, ...]:
    known = {key_of(edge) for edge in other.edges}
    return tuple(edge for edge in graph.edges if key_of(edge) not in known)
