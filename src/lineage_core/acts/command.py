"""`lineage acts`: what people have done to the store, and who."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import show
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.acts.store import OperatorAct


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.WATCH)(acts)


@leaves(NOTHING_CHANGED)
def acts(
    limit: Annotated[int, typer.Option(min=1, help="Most acts to show.")] = 50,
    before: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only those before the one of this number.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what people have done by commands and on pages, when, and who: the last first."""
    from lineage_core.acts.store import last_acts

    found = last_acts(chosen_store(), limit, before)
    show(found, _lines(found), as_json=as_json)


def _lines(found: Iterable[OperatorAct]) -> Iterator[str]:
    empty = True
    for one in found:
        empty = False
        who = one.login if one.person is None else f"{one.person} ({one.login})"
        yield f"{one.id}  {one.acted_at.isoformat(' ', 'seconds')}  {who}  {one.what}  {one.subject}: {one.outcome}"
    if empty:
        yield "No act is recorded."
