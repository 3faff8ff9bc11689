"""`lineage psql` and `lineage db url`: the store by other programs; `lineage class-archive`: Spark starts sooner."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_core.command_line.groups import STORE, Panel, commands_of
from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import EmbeddedLogin
from lineage_core.settings import ProjectSettings

Role = Annotated[
    EmbeddedLogin | None, typer.Option("--role", help="Login of the embedded Postgres; the owner without it.")
]


def register(application: typer.Typer) -> None:
    passing_on = {"allow_extra_args": True, "ignore_unknown_options": True}
    application.command(context_settings=passing_on, rich_help_panel=Panel.READ)(psql)
    commands_of(application, STORE).command()(url)
    application.command(name="class-archive", rich_help_panel=Panel.INSTALL)(make)


@leaves("psql says what it has done.")
def psql(context: typer.Context, role: Role = None) -> None:
    """Open psql on the store; everything else is passed on to it, such as -f FILE or -c QUERY."""
    from lineage_core.local.psql import run_psql

    run_psql(ProjectSettings.from_environment(), role, context.args)


@leaves(NOTHING_CHANGED)
def url(role: Role = None) -> None:
    """Print the address of the store, for psql and other clients, without a password."""
    from lineage_core.local.psql import address_of_store

    address, password = address_of_store(ProjectSettings.from_environment(), role)
    typer.echo(address)
    if password:
        typer.echo("The password of LINEAGE_DSN is left out; set PGPASSWORD, or use a password file.", err=True)


@leaves(NOTHING_CHANGED)
def make() -> None:
    """Make the class archive, so that Spark starts sooner. Repeat after an upgrade of Java or Spark."""
    from lineage_core.local.java import make_class_archive

    made = make_class_archive(ProjectSettings.from_environment().home)
    if made is None:
        raise NeedsOperator(
            "This Java cannot make a class archive, and Spark starts without one. Most others can: install one, and"
            " let JAVA_HOME name it"
        )
    typer.echo(f"{made}: {made.stat().st_size >> 20} MiB")
