"""What a search found, as JSON: for the command line and for pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_core.answers.search.search import SearchAnswer


def search_document(found: SearchAnswer) -> dict[str, Any]:
    """Names in their order, and whether they are all."""
    return {
        "complete": found.complete,
        "next": found.next,
        "found": [
            {"kind": one.kind.value, "namespace": one.namespace, "name": one.name, "column": one.column}
            for one in found.found
        ],
    }
