"""`lineage query`: questions that the tables answer, by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.found_rows import MOST_ROWS, AsCsv, Limit, refuse_two_forms, show_rows
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.queries.store import NamedQuery


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.READ)(query)


@leaves(NOTHING_CHANGED)
def query(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The question, as --list shows it.", callback=refuse_empty)
    ] = None,
    *,
    list_queries: Annotated[bool, typer.Option("--list", help="List the questions and their options.")] = False,
    dataset: Annotated[str | None, typer.Option(help="Name of a dataset.", callback=refuse_empty)] = None,
    job: Annotated[str | None, typer.Option(help="Name of a job, with that of its parent.")] = None,
    namespace: Annotated[str | None, typer.Option(help="Only what is in this namespace.")] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Only from this moment on: 2026-11-21T06:00:00Z, or yesterday.")
    ] = None,
    limit: Limit = MOST_ROWS,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Answer a question by name. psql runs the same files, below `sql/queries` of `lineage paths`."""
    from lineage_core.queries.store import answer

    refuse_two_forms(as_json=as_json, as_csv=as_csv)
    if list_queries == (name is not None):
        raise WrongUsage("Name a question, or list them by --list")
    if name is None:
        _list(as_json)
        return
    options = {"dataset": dataset, "job": job, "namespace": namespace, "since": since}
    given = {option: value for option, value in options.items() if value is not None}
    found = answer(chosen_store(), name, given, limit)
    show_rows(found, limit, as_json=as_json, as_csv=as_csv)


def _list(as_json: bool) -> None:
    from lineage_core.queries.store import named_queries

    listed = [
        {"name": one.name, "question": one.doc, "parameters": one.parameters, "optional": one.optional}
        for one in named_queries()
    ]
    show(listed, _listed_lines(named_queries()), as_json=as_json)


def _listed_lines(queries: Iterable[NamedQuery]) -> Iterator[str]:
    for one in queries:
        yield f"{one.name} {one.described_parameters}".rstrip()
        yield f"    {one.doc}"
