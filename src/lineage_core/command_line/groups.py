"""The panels of `lineage --help`, and groups of commands: whoever comes first with one of a group makes it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import typer


class Panel(StrEnum):
    """Each command names its own, as `rich_help_panel`."""

    START = "Get started"
    WATCH = "Watch and repair"
    READ = "Read"
    MANAGE = "Retain, migrate and publish"
    INSTALL = "Install and develop"


@dataclass(frozen=True)
class CommandGroup:
    """The commands behind one word of the command line. Of a group within a group, `panel` is None."""

    name: str
    help: str
    panel: Panel | None = None


STORE = CommandGroup("db", "Create, upgrade, check, measure, move and clean the store.", Panel.START)
QUARANTINE = CommandGroup("quarantine", "Documents that could not become rows.", Panel.WATCH)
SCHEMA = CommandGroup("schema", "Changes of the schema of a dataset.", Panel.READ)


def commands_of(application: typer.Typer, group: CommandGroup) -> typer.Typer:
    """Where commands of a group are added."""
    for made in application.registered_groups:
        if made.name == group.name and made.typer_instance is not None:
            return made.typer_instance
    commands = typer.Typer(no_args_is_help=True)
    application.add_typer(commands, name=group.name, help=group.help, rich_help_panel=group.panel)
    return commands
