"""The lineage graph around a dataset, a job or a column, as it was at a moment.

What an edge is and what ends it: docs/decisions/0060.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from lineage_core.answers.graph.known import KnownAt, KnownState, NotKnownThen, shown_as_known
from lineage_core.answers.graph.model import Edge, Graph, NodeKind, Root
from lineage_core.answers.graph.orders import END, order_behind, time_of
from lineage_core.answers.graph.pages import Page
from lineage_core.answers.graph.spans import joined
from lineage_core.answers.graph.store import Confirmation, Flow, GraphReader, HeldEdge, place_or_none, root_place
from lineage_core.answers.graph.walking import Direction, GraphWalk, WalkedEdge, walk
from lineage_core.answers.snapshots import as_of
from lineage_core.errors import WrongUsage
from lineage_core.normalize.store.event_choices import waiting_since
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute
from lineage_core.reading.store import snapshot

BOTH = (Direction.UP, Direction.DOWN)

MOST_NODES = 1_000
"""Of one answer."""


def graph_of(
    store: Store,
    root: Root,
    *,
    at: datetime | None = None,
    directions: Collection[Direction] = BOTH,
    depth: int | None = None,
    after: str | None = None,
    most: int = MOST_NODES,
    with_runs: bool = False,
    known: KnownAt | None = None,
) -> Graph:
    """What the root was made of, and what was made of it, at a moment.

    at: by the time of events; None for now, when what a person has hidden is left out. depth: edges from the root;
    None for as far as it goes. after: `Graph.next` of the answer before, for the same question. most: nodes of this
    answer. with_runs: whether each edge names the run and the version that last flowed. known: as it was known at
    another moment; None for what is known now.

    Raises WrongUsage for a root that no event has named, NotKnownThen for one that none had named by then, and, as
    `show_as_known`, where nothing says what was known.
    """
    with graph_snapshot(store, known) as connection:
        return graph_in(
            connection,
            root,
            at=at,
            directions=directions,
            depth=depth,
            after=after,
            most=most,
            with_runs=with_runs,
            known=known,
        )


@contextmanager
def graph_snapshot(store: Store, *known: KnownAt | None) -> Iterator[Connection]:
    """A connection in which several graphs are of one state of the store, or of what was known of it at moments."""
    is_known = any(known)
    with snapshot(store, has_temporary_tables=is_known) as connection:
        if is_known:
            # What a prepared statement reads would stay what it was when it was prepared.
            connection.prepare_threshold = None
        execute(connection, "answers/graph/settings")
        yield connection


def graph_in(
    connection: Connection,
    root: Root,
    *,
    at: datetime | None = None,
    directions: Collection[Direction] = BOTH,
    depth: int | None = None,
    after: str | None = None,
    most: int = MOST_NODES,
    with_runs: bool = False,
    known: KnownAt | None = None,
) -> Graph:
    """As `graph_of`, in a snapshot that other questions share."""
    if with_runs and known is not None:
        raise WrongUsage("What flowed is known of now alone: no stream keeps it. Leave out --runs, or --known-at")
    if most < 1:
        raise WrongUsage(f"The limit is {most} nodes: ask for one or more")
    page = Page.at(after, most)
    moment = at or page.moment
    before = END if moment is None else order_behind(moment)
    with shown_as_known(connection, known) as state:
        place = place_or_none(connection, root)
        if place is not None:
            reader = GraphReader(connection, before, shows_hidden=moment is not None, is_as_known=state is not None)
            walked = walk(reader, place, directions, depth, page.until)
            given = walk(reader, place, directions, depth, page.first).edges if page.first else {}
            found = _answer(connection, reader, walked, given, page, moment, with_runs)
            return found if state is None else _as_known(found, state, root, is_of_now=moment is None)
    root_place(connection, root)  # raises where no event has named it by now
    raise NotKnownThen(root)


def _as_known(found: Graph, state: KnownState, root: Root, *, is_of_now: bool) -> Graph:
    """What waits to be taken in now says nothing of what was known. A graph of now is one of the moment itself."""
    lost = state.has_lost_descriptions and root.kind is NodeKind.COLUMN
    return replace(
        found,
        complete=found.complete and not lost,
        at=state.moment if is_of_now else found.at,
        waiting_since=None,
        known_at=state.moment,
        published_at=state.published_at,
        has_lost_descriptions=lost,
    )


def _answer(
    connection: Connection,
    reader: GraphReader,
    walked: GraphWalk,
    given: Collection[WalkedEdge],
    page: Page,
    moment: datetime | None,
    with_runs: bool,
) -> Graph:
    """given: the edges of the pages before."""
    at = moment or as_of(connection)
    purged_before = reader.purged_before()
    is_purged = purged_before is not None and at < purged_before
    return Graph(
        complete=not walked.is_cut and not is_purged,
        at=at,
        next=page.next(moment) if walked.is_cut else None,
        nodes=tuple(reader.nodes([place for place, number in walked.numbers.items() if page.has(number)])),
        edges=tuple(_edges(reader, walked, given, with_runs)),
        ends_at_depth=walked.ends_at_depth,
        purged_before=purged_before if is_purged else None,
        waiting_since=waiting_since(connection),
    )


def _edges(reader: GraphReader, walked: GraphWalk, given: Collection[WalkedEdge], with_runs: bool) -> Iterator[Edge]:
    """In the order of the nodes that they lead from and to, which tells of what kind an edge is, too.

    An edge is in the first page whose walk comes to it: one that leads back may have both ends on earlier pages.
    """
    numbers = walked.numbers
    held = [edge for walked_edge, edge in walked.edges.items() if walked_edge not in given]
    flows = reader.flows(held) if with_runs else {}
    confirmed = defaultdict[tuple[int, int], list[_EdgeEvidence]](list)
    for place, (edge, confirmation) in enumerate(zip(held, reader.evidence(held), strict=True)):
        alike = confirmed[numbers[edge.from_], numbers[edge.to]]
        alike.append(_EdgeEvidence(edge, confirmation, flows.get(place)))
    for ends in sorted(confirmed):
        yield _edge(confirmed[ends])


class _EdgeEvidence(NamedTuple):
    edge: HeldEdge
    confirmation: Confirmation
    flow: Flow | None


def _edge(confirmed: list[_EdgeEvidence]) -> Edge:
    """Of columns several jobs may say the same: it holds while one of them does."""
    last, span = confirmed[0], confirmed[0].edge.span
    if len(confirmed) > 1:
        last = max(confirmed, key=lambda one: one.confirmation.last_event or b"")
        span = joined(last.edge.span, [one.edge.span for one in confirmed])
    last_event, flow = last.confirmation.last_event, last.flow
    return Edge(
        from_=last.edge.from_.id,
        to=last.edge.to.id,
        kind=last.edge.kind,
        since=time_of(span.since),
        until=None if span.until == END else time_of(span.until),
        last_seen=time_of(last_event) if last_event else None,
        runs=sum(one.confirmation.runs for one in confirmed),
        run=flow.run_uuid if flow else None,
        version=flow.version_uuid if flow else None,
        since_event=span.since,
        until_event=None if span.until == END else span.until,
    )
