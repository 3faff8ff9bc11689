"""`lineage emit`: the raw events, sent on to another lineage store or catalog."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.progress import Unit, progress
from lineage_core.command_line.results import harmless_line, show
from lineage_core.errors import LineageError, NeedsOperator, WrongUsage
from lineage_core.interrupts import leaves
from lineage_core.local.chosen_store import chosen_store
from lineage_core.settings import receiver_key_from_environment

if TYPE_CHECKING:
    from lineage_core.emission.destination import ClientDestination
    from lineage_core.emission.emission import RefusedEvent


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.MANAGE)(emit)


@leaves("What the receiver took is written down; run the same again, and it goes on behind that.")
def emit(
    to: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Address of a receiver of OpenLineage events.", callback=refuse_empty),
    ] = None,
    transport: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An openlineage.yml with a transport of type http or file.")
    ] = None,
    as_: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAME",
            help="Name under which to remember what was sent; by default the URL.",
            callback=refuse_empty,
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Send no more events than these.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Send everything, whatever was sent before.")] = False,
    as_json: AsJson = False,
) -> None:
    """Send the raw events on, to another lineage store or catalog, by OpenLineage's own client.

    Events go in the order in which they arrived here. What was sent is remembered, so the next time goes on from there.
    The key of an address is taken from OPENLINEAGE_API_KEY.
    An event that the receiver refuses is named, the rest is sent, and the exit code is 1.
    """
    from lineage_core.emission.emission import emit

    destination = _destination(to, transport)
    if as_ is None and (transport is not None or "?" in (to or "")):
        raise WrongUsage("Give it a name by --as: what a file or a query says may change, and the place is of the name")
    with progress("emit", Unit("events"), as_json=as_json) as shown:

        def tell(refused: RefusedEvent) -> None:
            shown.clear()
            _tell(refused)

        name = as_ or destination.name
        outcome = emit(chosen_store(), destination, name, most=limit, again=again, tell=tell, progress=shown)
    show(outcome, [f"{counted(outcome.sent, 'event')} sent to {destination.name}."], as_json=as_json)
    if outcome.refused:
        raise LineageError(f"{destination.name} refused {counted(outcome.refused, 'event')}, named above.")


def _destination(to: str | None, transport: Path | None) -> ClientDestination:
    if (to is None) == (transport is None):
        raise WrongUsage("Say where to, by --to URL or by --transport FILE")
    key = receiver_key_from_environment()
    try:
        from lineage_core.emission.destination import of_address, of_file
    except ImportError as error:
        raise NeedsOperator(f"{error}: `lineage emit` takes OpenLineage's client, openlineage-python.") from error
    return of_file(transport) if transport is not None else of_address(to or "", key)


def _tell(refused: RefusedEvent) -> None:
    line = f"refused: {refused.run or 'no run'} {refused.event_time}: {refused.reason}"
    typer.echo(harmless_line(line), err=True)
