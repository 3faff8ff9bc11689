"""Search, by a part of a name, by a tag or an owner, by a value of a facet, or by the uuid of a run."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core.answers.graph.model import NodeKind
from lineage_core.answers.search.document import (
    FacetValuesDocument,
    NameDocument,
    SearchDocument,
    facet_values_document,
    search_document,
)
from lineage_core.answers.search.facet_values import FacetBearer, facet_values_in
from lineage_core.answers.search.search import MOST_FOUND, USUAL_KINDS, search_in
from lineage_core.errors import WrongUsage
from lineage_core.pages.page import After, Limit, LineagePage, Reader
from lineage_core.pages.rows import listed, row
from lineage_core.pages.run_rows import WholeRun
from lineage_core.postgres.connection import Connection
from lineage_core.reading.store import snapshot


class Label(StrEnum):
    """What datasets, jobs and columns are found by beside their names."""

    TAG = "tag"
    OWNER = "owner"


_STATEMENTS = {Label.TAG: "with_tag", Label.OWNER: "of_owner"}


class SearchPage(SearchDocument):
    """What names find. run: the one of this uuid, if the text is one."""

    q: str
    run: WholeRun | None


class LabelledName(NameDocument):
    """named: the tag or the owner."""

    named: str


class LabelledNames(TypedDict):
    """What a tag or an owner finds. There is no next page: a longer text finds less."""

    q: str
    run: WholeRun | None
    complete: bool
    next: None
    in_one_order: bool
    found: list[LabelledName]
    by_trigrams: bool
    similar: list[NameDocument]


class FacetPage(FacetValuesDocument):
    """What values of a facet find."""

    q: str
    run: None


class _LabelRow(TypedDict):
    kind: NodeKind
    namespace: str
    name: str
    column_name: str | None
    named: str


def search(
    store: Reader,
    q: Annotated[str, Query(description="A part of the name, of a tag or of an owner, or the uuid of a run.")] = "",
    kind: Annotated[
        NodeKind | Label | Literal[""],
        Query(description="Only these, or what bears such a tag or owner; datasets and jobs without it."),
    ] = "",
    facet: Annotated[
        str, Query(description="Datasets, jobs and runs of which a value of this facet, by its key, has the text.")
    ] = "",
    own: Annotated[bool, Query(description="The tables of the store itself, too, by their names and columns.")] = False,
    limit: Limit = MOST_FOUND,
    after: After = None,
) -> SearchPage | LabelledNames | FacetPage:
    """What has a text in its name: what is named so first, then what begins so; of these what had an event last, by the
    day, then what is used most. Where many names have it, `in_one_order` is false: some hundreds are put in order at a
    time, the shortest first. Each name that does not change is found once, over all pages. If nothing is found,
    `similar` has the most similar names, in a database that has pg_trgm: `by_trigrams` is true there.

    With `facet`, what the last events state is found first, with its `value`; `events` says how many were looked at,
    `since` back to when, and `not_searched` whose facets are too large."""
    if not q.strip():
        return {"q": "", "run": None, **_NOTHING}
    with snapshot(store) as connection:
        if facet.strip():
            values = facet_values_in(connection, q, facet, kinds=_bearers(kind), limit=limit, after=after, own=own)
            return {"q": q, "run": None, **facet_values_document(values)}
        run = row(connection, WholeRun, "run", run=UUID(q.strip())) if _is_uuid(q) else None
        if isinstance(kind, Label):
            return _labelled(connection, kind, q, run, limit)
        kinds = (kind,) if isinstance(kind, NodeKind) else USUAL_KINDS
        answer = search_in(connection, q, kinds=kinds, limit=limit, after=after, own=own)
    return {"q": q, "run": run, **search_document(answer)}


def _bearers(kind: NodeKind | Label | Literal[""]) -> tuple[FacetBearer, ...]:
    if kind == "":
        return tuple(FacetBearer)
    if kind in {NodeKind.DATASET, NodeKind.JOB}:
        return (FacetBearer(kind.value),)
    raise WrongUsage(f"With `facet`, `kind` is dataset or job, or left out: what a {kind.value} is has no facets.")


def _labelled(connection: Connection, label: Label, q: str, run: WholeRun | None, limit: int) -> LabelledNames:
    found = listed(connection, _LabelRow, _STATEMENTS[label], limit, text=q.strip())
    return {
        "q": q,
        "run": run,
        "complete": found.complete,
        "next": None,
        "in_one_order": True,
        "found": [
            {
                "kind": one["kind"],
                "namespace": one["namespace"],
                "name": one["name"],
                "column": one["column_name"],
                "named": one["named"],
            }
            for one in found.rows
        ],
        "by_trigrams": False,
        "similar": [],
    }


_NOTHING: SearchDocument = {
    "complete": True,
    "next": None,
    "in_one_order": True,
    "found": [],
    "by_trigrams": False,
    "similar": [],
}


def _is_uuid(text: str) -> bool:
    try:
        UUID(text.strip())
    except ValueError:
        return False
    return True


PAGE = LineagePage("search", "Search", 1, search)
