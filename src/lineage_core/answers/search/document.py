"""What a search found, as JSON: for the command line and for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_core.answers.search.facet_values import FacetValue, FacetValues
    from lineage_core.answers.search.search import SearchAnswer


def search_document(found: SearchAnswer) -> dict[str, Any]:
    """Names in their order, and whether they are all, and in one order; or similar ones, if there are none."""
    return {
        "complete": found.complete,
        "next": found.next,
        "in_one_order": found.in_one_order,
        "found": [
            {
                "kind": one.kind.value,
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
            {"kind": one.kind.value, "namespace": one.namespace, "name": one.name, "column": one.column}
            for one in found.similar
        ],
    }


def facet_values_document(answer: FacetValues) -> dict[str, Any]:
    """Values in their order, whose facets were too large, and how many events were looked at, back to when."""
    return {
        "complete": answer.complete,
        "next": answer.next,
        "found": [_bearer(one) | {"value": one.value} for one in answer.found],
        "not_searched": [_bearer(one) for one in answer.not_searched],
        "events": answer.events,
        "since": answer.since,
    }


def _bearer(one: FacetValue) -> dict[str, Any]:
    """event: its id in all answers, the place in the order of events in hexadecimal digits."""
    return {
        "kind": one.kind.value,
        "namespace": one.namespace,
        "name": one.name,
        "run": one.run,
        "event_time": one.event_time,
        "event": one.event_order.hex(),
    }
