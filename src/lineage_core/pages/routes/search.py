"""Search, by a part of a name or by the uuid of a run."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import Query

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search.document import search_document
from lineage_core.answers.search.search import MOST_FOUND, USUAL_KINDS, search_in
from lineage_core.pages.page import After, Limit, LineagePage, Reader
from lineage_core.pages.rows import row
from lineage_core.reading.store import snapshot


def search(
    store: Reader,
    q: Annotated[str, Query(description="A part of the name of a dataset, job or column, or the uuid of a run.")] = "",
    kind: Annotated[NodeKind | Literal[""], Query(description="Only these; datasets and jobs without it.")] = "",
    limit: Limit = MOST_FOUND,
    after: After = None,
) -> dict[str, Any]:
    """What has a text in its name: what is named so first, then what begins so."""
    if not q.strip():
        return {"q": "", "run": None, "complete": True, "next": None, "found": []}
    with snapshot(store) as connection:
        run = row(connection, "run", run=UUID(q.strip())) if _is_uuid(q) else None
        kinds = (kind,) if isinstance(kind, NodeKind) else USUAL_KINDS
        answer = search_in(connection, q, kinds=kinds, limit=limit, after=after)
    return {"q": q, "run": run} | search_document(answer)


def _is_uuid(text: str) -> bool:
    try:
        UUID(text.strip())
    except ValueError:
        return False
    return True


PAGE = LineagePage("search", "Search", 1, search)
