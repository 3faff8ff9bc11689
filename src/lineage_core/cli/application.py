"""The commands. Each module here that has a `register` adds its own, so a new command is a new file."""

from __future__ import annotations

import importlib
import pkgutil

import typer

from lineage_core import cli


def application() -> typer.Typer:
    # Typer's own tracebacks print local variables, a password perhaps.
    made = typer.Typer(name="lineage", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    made.callback()(_describe)
    for module in pkgutil.iter_modules(cli.__path__):
        register = getattr(importlib.import_module(f"{cli.__name__}.{module.name}"), "register", None)
        if register is not None:
            register(made)
    return made


def _describe() -> None:
    """An OpenLineage store: raw events in, Marquez's tables out."""
