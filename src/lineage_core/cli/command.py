"""`lineage paths` and `lineage sql`, which are of no capability: where a release lies, and its rendered files."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from lineage_core.command_line.groups import Panel
from lineage_core.errors import LineageError, WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.settings import PROJECT, checkout


class Folder(StrEnum):
    """The folders that other programs need."""

    DAGS = "dags"
    SPARK_JOBS = "spark_jobs"
    PLUGINS = "plugins"
    SQL = "sql"


def register(application: typer.Typer) -> None:
    for command in (paths, sql):
        application.command(rich_help_panel=Panel.INSTALL)(command)


@leaves(NOTHING_CHANGED)
def paths(
    folder: Annotated[
        Folder | None,
        typer.Argument(metavar="FOLDER", help="Print the path of this one alone: dags, spark_jobs, plugins or sql."),
    ] = None,
) -> None:
    """Show where the DAGs, the Spark jobs, the plugins and the SQL of this release are."""
    if folder is not None:
        typer.echo(PROJECT / folder)
        return
    for each in Folder:
        typer.echo(f"{each:<11}{PROJECT / each}")


@leaves("Files that were rendered stay; `lineage sql` again does the rest.")
def sql(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if a file is stale.")] = False,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="Print what makes this table, for a migration; change nothing.")
    ] = None,
) -> None:
    """Render the declarations to SQL and to the rendered pages of docs/."""

    from lineage_core import render

    if table is not None:
        _print_table(table)
        return
    top = checkout()
    if not check:
        for path in render.write(top):
            typer.echo(path)
        return
    outdated = render.stale(top)
    if outdated:
        raise LineageError(f"stale, so run `lineage sql`: {', '.join(outdated)}")


def _print_table(name: str) -> None:
    from lineage_core import render
    from lineage_core.declare.vocabulary import DeclarationError

    try:
        typer.echo(render.table(name))
    except DeclarationError as error:
        raise WrongUsage(str(error)) from error
