"""What a search found, as JSON: for the command line and for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
