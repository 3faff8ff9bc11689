"""`lineage mcp`: the answers as tools of an agent."""

from __future__ import annotations

import typer

from lineage_core.command_line.groups import Panel
from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import NOTHING_CHANGED, leaves, leaving_signals_to_others
from lineage_core.local.chosen_store import chosen_reader_store


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.READ)(mcp)


@leaves(NOTHING_CHANGED)
def mcp() -> None:
    """Serve the answers to an agent, by the Model Context Protocol over standard input and output. It only reads."""
    try:
        from lineage_core.answers.mcp.server import server_of
    except ImportError as error:
        raise NeedsOperator(f"{error}: this takes the extra `mcp` of the package.") from error
    from lineage_core.postgres.reader_store import ReaderStore

    store = ReaderStore(chosen_reader_store().dsn, "lineage mcp")
    with leaving_signals_to_others():
        server_of(store).run("stdio")
