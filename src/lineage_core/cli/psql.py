"""`lineage psql` and `lineage db url`: the store by other programs."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_core.cli.panels import Panel
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.psql import EmbeddedLogin, address_of_store, run_psql
from lineage_core.settings import ProjectSettings

Role = Annotated[
    EmbeddedLogin | None, typer.Option("--role", help="Login of the embedded Postgres; the owner without it.")
]


def register(application: typer.Typer) -> None:
    settings = {"allow_extra_args": True, "ignore_unknown_options": True}
    application.command(context_settings=settings, rich_help_panel=Panel.READ)(psql)


@leaves("psql says what it has done.")
def psql(context: typer.Context, role: Role = None) -> None:
    """Open psql on the store; everything else is passed on to it, such as -f FILE or -c QUERY."""
    run_psql(ProjectSettings.from_environment(), role, context.args)


@leaves(NOTHING_CHANGED)
def url(role: Role = None) -> None:
    """Print the address of the store, for psql and other clients, without a password."""
    address, password = address_of_store(ProjectSettings.from_environment(), role)
    typer.echo(address)
    if password:
        typer.echo("The password of LINEAGE_DSN is left out; set PGPASSWORD, or use a password file.", err=True)
