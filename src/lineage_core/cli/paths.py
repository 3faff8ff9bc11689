"""`lineage paths`: where Airflow and Spark find what belongs to this release."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from lineage_core.command_line.panels import Panel
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.settings import PROJECT


class Folder(StrEnum):
    """The folders that other programs need."""

    DAGS = "dags"
    SPARK_JOBS = "spark_jobs"
    PLUGINS = "plugins"
    SQL = "sql"


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.INSTALL)(paths)


@leaves(NOTHING_CHANGED)
def paths(
    folder: Annotated[Folder | None, typer.Argument(help="Print the path of this one alone.")] = None,
) -> None:
    """Show where the DAGs, the Spark jobs, the plugins and the SQL of this release are."""
    if folder is not None:
        typer.echo(PROJECT / folder)
        return
    for each in Folder:
        typer.echo(f"{each:<11}{PROJECT / each}")
