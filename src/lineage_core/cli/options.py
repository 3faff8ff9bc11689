"""What all options and arguments have in common."""

from __future__ import annotations

from typing import TypeVar

import typer

from lineage_core.errors import WrongUsage

Given = TypeVar("Given")


def refuse_empty(parameter: typer.CallbackParam, given: Given) -> Given:
    """A callback for texts. Empty is not left out: it is what a variable that was lost leaves on a command line."""
    words = given if isinstance(given, list) else [given]
    if any(isinstance(word, str) and not word.strip() for word in words):
        raise WrongUsage(f"{parameter.metavar or parameter.opts[0]} is given, but empty")
    return given
