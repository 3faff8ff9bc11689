"""The program `lineage`: the commands that the capabilities register, and its help."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperGroup
from typer.models import CommandInfo

from lineage_core.capabilities import CAPABILITIES
from lineage_core.cli import command as own_commands
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import refuse_empty
from lineage_core.settings import with_store
from lineage_core.store_list import STORE_OPTION

EXAMPLES = (
    "lineage db upgrade",
    "lineage ingest events.ndjson",
    "lineage normalize",
    "lineage normalize --from 2026-01-01 --to 2026-02-01",
    "lineage quarantine list",
)


class _ByPanel(TyperGroup):
    """Lists commands panel by panel. Typer would list all that have no commands of their own first."""

    def list_commands(self, ctx: Any) -> list[str]:
        order = [str(panel) for panel in Panel]
        return sorted(self.commands, key=lambda name: (order.index(_panel(self.commands[name])), name))


def _panel(command: Any) -> str:
    return str(getattr(command, "rich_help_panel", None) or Panel.INSTALL)


def run(arguments: list[str] | None) -> None:
    """Run the command that the arguments name, those of the process if None. Ends with SystemExit, as click does."""
    made = application()
    _leave_only(made, _first_word(sys.argv[1:] if arguments is None else arguments))
    command = typer.main.get_command(made)
    _in_plain_words(command)
    command(args=arguments)


def application() -> typer.Typer:
    # Typer's own tracebacks print local variables, a password perhaps.
    made = typer.Typer(
        name="lineage",
        cls=_ByPanel,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        epilog="\n\n".join(("Examples:", *EXAMPLES)),
    )
    made.callback()(_describe)
    for capability in CAPABILITIES:
        capability.commands().register(made)
    own_commands.register(made)
    return made


def _first_word(arguments: Sequence[str]) -> str | None:
    """The word that names the command, behind `--store` alone; None where there is none, or help is asked for."""
    rest = list(arguments)
    if rest and rest[0].startswith(STORE_OPTION):
        rest = rest[1:]
    elif rest and rest[0] == STORE_OPTION.rstrip("="):
        rest = rest[2:]
    return rest[0] if rest and not rest[0].startswith("-") else None


def _leave_only(application: typer.Typer, word: str | None) -> None:
    """Takes out all commands but the one of that word, if there is one: to read the options of a hundred others would
    take longer than most of them take."""
    commands = [one for one in application.registered_commands if _word(one) == word]
    groups = [one for one in application.registered_groups if one.name == word]
    if commands or groups:
        application.registered_commands, application.registered_groups = commands, groups


def _word(command: CommandInfo) -> str | None:
    return command.name or (command.callback and typer.main.get_command_name(command.callback.__name__))


_WORDS_OF_TYPES = {str: "TEXT", int: "N", float: "N", Path: "PATH"}


def _in_plain_words(command: Any) -> None:
    """In the help, words stand for values, and no types of Python such as `<list[str]>`; a flag takes no value."""
    for parameter in command.get_params(command.context_class(command)):
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif not parameter.type_descriptor.is_choice:
            _name_value(parameter)
    for inner in getattr(command, "commands", {}).values():
        _in_plain_words(inner)


def _name_value(parameter: Any) -> None:
    """Of an argument, its name is enough."""
    if parameter.param_type_name == "argument":
        parameter.display_type = lambda _context: ""
    elif parameter.metavar is None:
        annotation = parameter.type_descriptor.annotation
        parameter.metavar = _WORDS_OF_TYPES.get(next(iter(get_args(annotation)), annotation))


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"lineage {version('lineage-core')}")
        raise typer.Exit


def _describe(
    context: typer.Context,
    store: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Work on this store of the list of LINEAGE_STORES.", callback=refuse_empty),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Store OpenLineage events in Postgres, make Marquez's tables of them, and answer questions about lineage."""
    if store is not None:
        context.with_resource(with_store(store))
