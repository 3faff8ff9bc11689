"""The lineage graph around a dataset, a job or a column, as it was at a moment.

What an edge is and what ends it: docs/decisions/0060.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import groupby

from lineage_core.answers.graph.model import Edge, Graph, NodeKind, Root
from lineage_core.answers.graph.orders import END, order_behind, time_of
from lineage_core.answers.graph.pages import Page
from lineage_core.answers.graph.spans import joined
from lineage_core.answers.graph.store import Confirmation, GraphReader, HeldEdge, now, root_place
from lineage_core.answers.graph.walking import Direction, Walked, walk
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store

BOTH = (Direction.UP, Direction.DOWN)

DEPTH = 20
"""Edges from the root, as Marquez' own graph goes unless it is asked for less."""

MOST_NODES = 1_000
"""Of one answer."""


def graph_of(
    store: Store,
    root: Root,
    *,
    at: datetime | None = None,
    directions: Collection[Direction] = BOTH,
    depth: int = DEPTH,
    after: str | None = None,
    most: int = MOST_NODES,
) -> Graph:
    """What the root was made of, and what was made of it, at a moment.

    at: by the time of events; None for now, when what a person has hidden is left out. depth: edges from the root.
    after: `Graph.next` of the answer before, for the same question. most: nodes of this answer.

    Raises WrongUsage for a root that no event has named.
    """
    page = Page.at(after, most)
    moment = at or page.moment
    before = END if moment is None else order_behind(moment)
    with store.session("lineage_reader") as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        reader = GraphReader(connection, before, shows_hidden=moment is not None)
        walked = walk(reader, root_place(connection, root), directions, depth, page.until)
        return _answer(connection, reader, walked, page, moment)


def _answer(connection: Connection, reader: GraphReader, walked: Walked, page: Page, moment: datetime | None) -> Graph:
    at = moment or now(connection)
    jobs = {place.uuid for place in walked.numbers if place.kind is NodeKind.JOB}
    purged_before = reader.purged_before(jobs | {edge.job for edge in walked.edges.values()})
    is_purged = purged_before is not None and at < purged_before
    return Graph(
        complete=not walked.is_cut and not is_purged,
        at=at,
        next=page.next(moment) if walked.is_cut else None,
        nodes=tuple(reader.nodes([place for place, number in walked.numbers.items() if page.has(number)])),
        edges=tuple(_edges(reader, walked, page)),
        purged_before=purged_before if is_purged else None,
    )


def _edges(reader: GraphReader, walked: Walked, page: Page) -> Iterator[Edge]:
    """An edge is in the page of that of its ends which was met later."""
    numbers = walked.numbers
    held = [edge for edge in walked.edges.values() if page.has(max(numbers[edge.from_], numbers[edge.to]))]
    confirmed = sorted(
        zip(held, reader.evidence(held), strict=True), key=lambda one: (numbers[one[0].from_], numbers[one[0].to])
    )
    for _, alike in groupby(confirmed, key=lambda one: (one[0].from_, one[0].to, one[0].kind)):
        yield _edge(list(alike))


def _edge(confirmed: list[tuple[HeldEdge, Confirmation]]) -> Edge:
    """Of columns several jobs may say the same: it holds while one of them does."""
    first = confirmed[0][0]
    span = joined(first.span, [edge.span for edge, _ in confirmed])
    last_event = max((evidence.last_event or b"" for _, evidence in confirmed), default=b"")
    return Edge(
        from_=first.from_.id,
        to=first.to.id,
        kind=first.kind,
        since=time_of(span.since),
        until=None if span.until == END else time_of(span.until),
        last_seen=time_of(last_event) if last_event else None,
        runs=sum(evidence.runs for _, evidence in confirmed),
    )
