"""`lineage serve`: the receiver of events over HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_core.cli.database import chosen_ingest_store
from lineage_core.cli.options import refuse_empty
from lineage_core.cli.panels import Panel
from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import leaves, leaving_signals_to_others
from lineage_core.settings import spool_from_environment


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.START)(serve)


@leaves("What was answered with success is stored; a producer sends the rest again.")
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.", callback=refuse_empty)] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port.")] = 5000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that share the port.")] = 1,
    without_tokens: Annotated[
        bool, typer.Option("--without-tokens", help="Take events without a token; on a loopback address only.")
    ] = False,
    spool: Annotated[
        bool,
        typer.Option(
            "--spool",
            help="While the store is away, answer 201 once an event is on this machine's disk, in LINEAGE_SPOOL.",
        ),
    ] = False,
) -> None:
    """Receive OpenLineage events over HTTP: POST /api/v1/lineage.

    Each event is committed before it is answered. Producers show a token of `lineage token create`.
    """
    try:
        from lineage_core.receiver.serving import ServedReceiver
        from lineage_core.receiver.serving import serve as serve_receiver
    except ImportError as error:
        raise NeedsOperator(f"{error}: the receiver takes the extra `receiver` of the package.") from error
    with leaving_signals_to_others():
        folder = spool_from_environment() if spool else None
        served = ServedReceiver(chosen_ingest_store(), not without_tokens, spool=folder)
        serve_receiver(served, host, port, workers)
