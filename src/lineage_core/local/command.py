"""`lineage class-archive`: Spark starts sooner."""

from __future__ import annotations

import typer

from lineage_core.command_line.panels import Panel
from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.settings import ProjectSettings


def register(application: typer.Typer) -> None:
    application.command(name="class-archive", rich_help_panel=Panel.INSTALL)(make)


@leaves(NOTHING_CHANGED)
def make() -> None:
    """Make the class archive, by which Spark starts sooner; again after an upgrade of Java or of Spark."""
    from lineage_core.local.class_archive import make_class_archive

    made = make_class_archive(ProjectSettings.from_environment().home)
    if made is None:
        raise NeedsOperator(
            "This Java cannot make a class archive, and Spark starts without one. Most others can: install one, and"
            " let JAVA_HOME name it"
        )
    typer.echo(f"{made}: {made.stat().st_size >> 20} MiB")
