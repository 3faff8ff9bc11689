"""What a command came to: one JSON value or CSV for programs, lines for people, and what of them a terminal may get."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from io import StringIO
from typing import Any

import typer


def harmless(text: str) -> str:
    """The text with everything but printable characters and line breaks written as escapes."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else character.encode("unicode_escape").decode()
        for character in text
    )


def harmless_line(text: str) -> str:
    """The same of what is one line: line breaks in it are those of names, and are written as escapes, too."""
    return harmless(text).replace("\n", "\\n")


def megabytes(size: int) -> str:
    """Bytes, for people."""
    return f"{size / 1e6:,.1f} MB"


def first_line(text: str) -> str:
    """Of a reason: without where it happened in our own code, which stands behind some reasons."""
    return text.partition("\n")[0]


def iso_8601(time: date) -> str:
    """Of a day as of a point in time."""
    return time.isoformat()


def iso_8601_duration(time: timedelta) -> str:
    """In seconds, such as `PT300S` or `PT0.25S`. One that ends before it begins has a minus."""
    seconds = f"{abs(time).total_seconds():.6f}".rstrip("0").rstrip(".")
    return f"{'-' if time < timedelta(0) else ''}PT{seconds}S"


def show(found: object, lines: Iterable[str], *, as_json: bool, written_time: Callable[[date], str] = iso_8601) -> None:
    """Print what was found, or else the lines that tell it. Of the two, only what is printed is made.

    found: what `json_text` takes. lines: each is one line, whatever is in the names within it.
    """
    if as_json:
        typer.echo(json_text(found, written_time))
        return
    for line in lines:
        typer.echo(harmless_line(line))


def json_text(found: object, written_time: Callable[[date], str] = iso_8601) -> str:
    """Values, lists, dicts and dataclasses as JSON, in one line; how long something took as ISO 8601.

    written_time: how days and points in time are written.
    """

    def plain(value: object) -> object:
        if is_dataclass(value) and not isinstance(value, type):
            # What is within is left to the encoder, which goes deeper than Python: a facet may be nested very deep.
            return {one.name: getattr(value, one.name) for one in fields(value)}
        if isinstance(value, timedelta):
            return iso_8601_duration(value)
        return written_time(value) if isinstance(value, date) else str(value)

    return json.dumps(found, default=plain)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV, below a line of the columns' names."""
    made = StringIO()
    writer = csv.writer(made)
    writer.writerow(columns)
    writer.writerows([cell_text(value) for value in row] for row in rows)
    return made.getvalue()


def cell_text(value: Any) -> str:
    """A value in one cell: nothing for None, times as ISO 8601, lists and objects as JSON. How long something took is
    `0:05:00`, which spreadsheets take for that."""
    if value is None:
        return ""
    if isinstance(value, date):
        return iso_8601(value)
    return json_text(value) if isinstance(value, list | dict) else str(value)
