"""`lineage search`: what has a text in its name."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.answers.search.document import facet_values_document, search_document
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import iso_8601, show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.answers.search.facet_values import FacetValues
    from lineage_core.answers.search.search import SearchAnswer


class SoughtKind(StrEnum):
    """What to look for."""

    DATASET = "dataset"
    JOB = "job"
    COLUMN = "column"


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.READ)(search)


@leaves(NOTHING_CHANGED)
def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A part of the name.", callback=refuse_empty)],
    kind: Annotated[
        list[SoughtKind] | None, typer.Option(help="Only these; may be given again. Without it, datasets and jobs.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most names to show.")] = 50,
    after: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on there: `next` of a cut answer.", callback=refuse_empty)
    ] = None,
    own: Annotated[bool, typer.Option("--own", help="The store's own tables, too.")] = False,
    facet: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            help="Search values of this facet, of datasets, jobs and runs, in place of names.",
            callback=refuse_empty,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search datasets, jobs or columns by a part of their names, or by values of a facet.

    What is named so comes first, then what begins so; of these what had an event last, by the day, then what is used
    most. With --facet, what the last events state comes first.
    """
    if facet is not None:
        _search_values(text, facet, kind, limit=limit, after=after, own=own, as_json=as_json)
        return

    from lineage_core.answers.graph.model import NodeKind
    from lineage_core.answers.search.search import USUAL_KINDS
    from lineage_core.answers.search.search import search as searched

    kinds = [NodeKind(one.value) for one in kind] if kind else USUAL_KINDS
    found = searched(chosen_store(), text, kinds=kinds, limit=limit, after=after, own=own)
    show(search_document(found), _lines(found), as_json=as_json)


def _lines(found: SearchAnswer) -> Iterator[str]:
    from lineage_core.answers.search.search import PUT_IN_ORDER

    for one in found.found:
        yield f"{one.kind.value:<8}{one.namespace}  {one.name}{f'  {one.column}' if one.column else ''}"
    if not found.found and found.complete:
        yield f"Nothing is named so.{' Similar names:' if found.similar else ''}"
    for like in found.similar:
        yield f"{like.kind.value:<8}{like.namespace}  {like.name}{f'  {like.column}' if like.column else ''}"
    if not found.by_trigrams and not found.found and found.complete:
        yield "Similar names are found only in a database with the extension pg_trgm."
    if not found.in_one_order:
        yield f"More names have the text than are put in order together: {PUT_IN_ORDER} at a time, the shortest first."
    if found.next is not None:
        yield f"There are more. Go on by --after '{found.next}'"


def _search_values(
    text: str, facet: str, kind: list[SoughtKind] | None, *, limit: int, after: str | None, own: bool, as_json: bool
) -> None:
    from lineage_core.answers.search.facet_values import FacetBearer, facet_values

    if kind and SoughtKind.COLUMN in kind:
        raise WrongUsage("No column has facets. Leave out --kind, or ask for datasets or jobs.")
    kinds = [FacetBearer(one.value) for one in kind] if kind else tuple(FacetBearer)
    found = facet_values(chosen_store(), text, facet, kinds=kinds, limit=limit, after=after, own=own)
    show(facet_values_document(found), _lines_of_values(found), as_json=as_json)


def _lines_of_values(found: FacetValues) -> Iterator[str]:
    for one in (*found.found, *found.not_searched):
        value = "the facet is too large to be searched" if one.value is None else one.value
        yield f"{one.kind.value:<8}{one.namespace}  {one.name}{f'  {one.run}' if one.run else ''}: {value}"
    looked_at = f"{found.events:,} events{f', back to {iso_8601(found.since)}' if found.since else ''}"
    if not found.found:
        yield f"No value of the facet has the text in {looked_at}."
    if found.next is not None:
        yield f"Looked at were {looked_at}. Go on by --after '{found.next}'"
