"""What a command came to: one JSON value for programs, lines for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, is_dataclass
from datetime import date

import typer

from lineage_core.command_line.terminal import harmless


def iso_8601(time: date) -> str:
    """Of a day as of a point in time."""
    return time.isoformat()


def show(found: object, lines: Iterable[str], *, as_json: bool, written_time: Callable[[date], str] = iso_8601) -> None:
    """Print what was found, or else the lines that tell it. Of the two, only what is printed is made.

    found: what `json_text` takes.
    """
    if as_json:
        typer.echo(json_text(found, written_time))
        return
    for line in lines:
        typer.echo(harmless(line))


def json_text(found: object, written_time: Callable[[date], str] = iso_8601) -> str:
    """Values, lists, dicts and dataclasses as JSON, in one line.

    written_time: how days and points in time are written.
    """

    def plain(value: object) -> object:
        if is_dataclass(value) and not isinstance(value, type):
            return asdict(value)
        return written_time(value) if isinstance(value, date) else str(value)

    return json.dumps(found, default=plain)
