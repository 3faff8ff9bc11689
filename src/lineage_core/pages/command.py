"""`lineage pages`: what the store knows, in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import refuse_empty
from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import NOTHING_CHANGED, leaves, leaving_signals_to_others
from lineage_core.local.chosen_store import chosen_operator_store, chosen_reader_store


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.START)(pages)


@leaves(NOTHING_CHANGED)
def pages(
    host: Annotated[str, typer.Option(help="The address to listen on.", callback=refuse_empty)] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port.")] = 5080,
    user_header: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Header in which a proxy names the person. Needed where others can reach the address.",
            callback=refuse_empty,
        ),
    ] = None,
    operators: Annotated[
        list[str] | None,
        typer.Option(
            "--operator",
            metavar="NAME",
            help="Who may act, as the proxy names the person; may be given several times. No one else may.",
            callback=refuse_empty,
        ),
    ] = None,
) -> None:
    """Serve the pages of the store: search, lineage at any moment, why a run failed, and what waits.

    They only read, but for what an operator asks of them by the login of LINEAGE_OPERATOR_DSN.
    Open http://127.0.0.1:5080/lineage/ in a browser.
    """
    try:
        from lineage_core.pages.serving import serve
    except ImportError as error:
        raise NeedsOperator(f"{error}: the pages take the extra `pages` of the package.") from error
    with leaving_signals_to_others():
        serve(chosen_reader_store(), host, port, user_header, chosen_operator_store(), operators or ())
