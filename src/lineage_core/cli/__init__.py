"""The command line. Each module here that has a `register` adds its own commands, so a new command is a new file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence

import typer

from lineage_core.errors import LineageError, WrongUsage

FAILED = 1
WRONG_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that the arguments name, and exit: 0 done, 1 failed, 2 wrong usage."""
    try:
        _application()(args=arguments)
    except WrongUsage as error:
        _exit(error, WRONG_USAGE)
    except LineageError as error:
        _exit(error, FAILED)


def _application() -> typer.Typer:
    # Typer's own tracebacks print local variables, a password perhaps.
    application = typer.Typer(
        name="lineage", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
    )
    application.callback()(_describe)
    for module in pkgutil.iter_modules(__path__):
        register = getattr(importlib.import_module(f"{__name__}.{module.name}"), "register", None)
        if register is not None:
            register(application)
    return application


def _describe() -> None:
    """An OpenLineage store: raw events in, Marquez's tables out."""


def _exit(error: LineageError, status: int) -> None:
    typer.echo(f"lineage: {error}", err=True)
    raise SystemExit(status)
