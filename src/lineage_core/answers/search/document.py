"""What a search found, as JSON: for the command line and for pages."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.graph.model import NodeKind

if TYPE_CHECKING:
    from lineage_core.answers.search.facet_values import FacetValue, FacetValues
    from lineage_core.answers.search.search import SearchAnswer


class NameDocument(TypedDict):
    """A name. column: null unless it is one, of the dataset of this name."""

    kind: NodeKind
    namespace: str
    name: str
    column: str | None


class FoundDocument(NameDocument):
    """A name with the text in it. updated_at: when the last event was that named the dataset, or that was of the job.
    uses: how many jobs read the dataset now, or how many runs the job has had; at most 20."""

    updated_at: datetime
    uses: int


class SearchDocument(TypedDict):
    """next: `after` of the next page. in_one_order: whether `found` is in one order of all names with the text.
    similar: if nothing at all is found, the names that are most similar."""

    complete: bool
    next: str | None
    in_one_order: bool
    found: list[FoundDocument]
    by_trigrams: bool
    similar: list[NameDocument]


class BearerDocument(TypedDict):
    """What bears a facet. run: null unless it is one; the names are those of its job then. event: its id in all
    answers, the place in the order of events in hexadecimal digits."""

    kind: str
    namespace: str
    name: str
    run: UUID | None
    event_time: datetime
    event: str


class FacetValueDocument(BearerDocument):
    """value: the first one that has the text, cut where it is long."""

    value: str | None


class FacetValuesDocument(TypedDict):
    """not_searched: whose facet is too large. events: how many were looked at; since: back to when."""

    complete: bool
    next: str | None
    found: list[FacetValueDocument]
    not_searched: list[BearerDocument]
    events: int
    since: datetime | None


def search_document(found: SearchAnswer) -> SearchDocument:
    """Names in their order, and whether they are all, and in one order; or similar ones, if there are none."""
    return {
        "complete": found.complete,
        "next": found.next,
        "in_one_order": found.in_one_order,
        "found": [
            {
                "kind": one.kind,
                "namespace": one.namespace,
                "name": one.name,
                "column": one.column,
                "updated_at": one.updated_at,
                "uses": one.uses,
            }
            for one in found.found
        ],
        "by_trigrams": found.by_trigrams,
        "similar": [
            {"kind": one.kind, "namespace": one.namespace, "name": one.name, "column": one.column}
            for one in found.similar
        ],
    }


def facet_values_document(answer: FacetValues) -> FacetValuesDocument:
    """Values in their order, whose facets were too large, and how many events were looked at, back to when."""
    return {
        "complete": answer.complete,
        "next": answer.next,
        "found": [{**_bearer(one), "value": one.value} for one in answer.found],
        "not_searched": [_bearer(one) for one in answer.not_searched],
        "events": answer.events,
        "since": answer.since,
    }


def _bearer(one: FacetValue) -> BearerDocument:
    return {
        "kind": one.kind.value,
        "namespace": one.namespace,
        "name": one.name,
        "run": one.run,
        "event_time": one.event_time,
        "event": one.event_order.hex(),
    }
