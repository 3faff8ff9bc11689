"""The lineage graph of a dataset, a job or a column at any moment, and what changed between two."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core.answers.graph.borders import difference_over_borders, graph_over_borders, other_stores
from lineage_core.answers.graph.document import (
    DifferenceDocument,
    GraphDocument,
    difference_document,
    graph_document,
)
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import Graph, NodeKind, Root
from lineage_core.answers.graph.walking import DIRECTIONS
from lineage_core.command_line.options import moment
from lineage_core.errors import WrongUsage
from lineage_core.pages.graph_history import HistoryDocument, graph_history
from lineage_core.pages.page import After, LineagePage, Name, Namespace, Reader, both_names, empty_is
from lineage_core.pages.parent_jobs import parent_names

NODES, DEPTH = 300, 3
"""Of one page, unless more are asked for."""


class NoGraph(TypedDict):
    """Where nothing is asked for."""

    root: None


class RootDocument(TypedDict):
    """What the graph is of."""

    kind: NodeKind
    namespace: str
    name: str
    column: str | None


class NearestChanges(TypedDict):
    """The moments next to this one at which an edge that is shown came or went: where a step back or forth leads."""

    before: datetime | None
    next: datetime | None


class GraphPage(GraphDocument):
    """complete: whether all is here; else `cut` says what was left out, and `next` is `after` of the next page.
    purged_before: retention has deleted what held only before. waiting_since: since when an event waits that is in no
    table. known_at: null for what is known now. elsewhere: datasets that other stores know. difference: if `compare` is
    given. history: when edges of the root, and those that are shown, came or went. parents: the name of the job that
    started a job, by the id of this job."""

    root: RootDocument
    changes: NearestChanges
    difference: DifferenceDocument | None
    history: HistoryDocument
    parents: dict[str, str]


def graph(
    store: Reader,
    namespace: Namespace = None,
    name: Name = None,
    *,
    kind: NodeKind = NodeKind.DATASET,
    column: str | None = None,
    at: Annotated[str | None, Query(description="As it was at this moment, by the time of events.")] = None,
    compare: Annotated[str | None, Query(description="An earlier moment; the answer has what came and went.")] = None,
    known_at: Annotated[str | None, Query(description="As it was known then, as changelog streams have it.")] = None,
    direction: Literal["both", "up", "down"] = "both",
    depth: Annotated[int, empty_is(DEPTH), Query(ge=0, le=100, description="Edges from it.")] = DEPTH,
    limit: Annotated[int, Query(ge=1, le=5_000, description="Most nodes of the answer.")] = NODES,
    after: After = None,
) -> GraphPage | NoGraph:
    """The lineage of a dataset, a job or a column, as it is or as it was."""
    whole = both_names(namespace, name)
    if whole is None:
        return {"root": None}
    if kind is NodeKind.COLUMN and not column:
        raise WrongUsage(f"Of {name} a column is asked for, and none is named: give `column`, or leave out `kind`")
    root = Root(kind, *whole, column or None)
    to, earlier = _moment("at", at), _moment("compare", compare)
    directions = DIRECTIONS[direction]
    known = KnownAt.by_settings(moment("known_at", known_at)) if known_at else None
    found = graph_over_borders(
        store, root, other_stores(), at=to, directions=directions, depth=depth, after=after, most=limit, known=known
    )
    changed = None
    if earlier is not None:
        changed = difference_over_borders(
            store,
            root,
            earlier,
            to or found.at,
            other_stores(),
            directions=directions,
            depth=depth,
            most=limit,
            from_known=known,
            to_known=known,
        )
    return {
        **graph_document(found),
        "root": {"kind": kind, "namespace": root.namespace, "name": root.name, "column": root.column},
        "changes": _changes(found),
        "difference": difference_document(changed) if changed else None,
        "history": graph_history(store, root, found.edges).document(),
        "parents": parent_names(store, [*found.nodes, *(changed.nodes if changed else ())]),
    }


def _moment(name: str, text: str | None) -> datetime | None:
    """An empty field of a form asks for nothing."""
    return moment(name, text) if text else None


def _changes(found: Graph) -> NearestChanges:
    earlier = [edge.since for edge in found.edges if edge.since < found.at]
    later = [edge.until for edge in found.edges if edge.until and edge.until > found.at]
    before = max(earlier, default=_FIRST)
    return {
        "before": before - timedelta(microseconds=1) if before > _FIRST else None,
        "next": min(later, default=None),
    }


_FIRST = datetime.min.replace(tzinfo=UTC)
"""Nothing is before."""


PAGE = LineagePage("graph", None, 1, graph)
