"""What options and arguments of several commands have in common, points in time and ages among them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from lineage_core.errors import WrongUsage

Given = TypeVar("Given")


def json_option(help_: str = "Print JSON.") -> Any:
    """The option by which a command prints JSON; `AsJson`, where there is nothing else to say of it."""
    return typer.Option("--json", help=help_)


AsJson = Annotated[bool, json_option()]

OnSubmittedSpark = Annotated[bool, typer.Option("--on-submitted-spark", hidden=True)]
"""Whether spark-submit has started the process, so that the Spark is the one that it names."""

OutcomeFile = Annotated[Path | None, typer.Option(hidden=True, help="Where Airflow reads the outcome.")]

Yes = Annotated[bool, typer.Option("--yes", help="Delete. Without it the plan is shown.")]


def refuse_empty(parameter: typer.CallbackParam, given: Given) -> Given:
    """A callback for texts. Empty is not left out: it is what a variable that was lost leaves on a command line."""
    words = given if isinstance(given, list) else [given]
    if any(isinstance(word, str) and not word.strip() for word in words):
        raise WrongUsage(f"{parameter.metavar or parameter.opts[0]} is given, but empty")
    return given


def moment(option: str, text: str) -> datetime:
    """The point in time that a text in ISO 8601 says, in UTC where it names no zone.

    Raises WrongUsage, also for one outside of the years 1 to 9999 of UTC: Postgres would take it, and nothing could
    read it there.
    """
    try:
        found = datetime.fromisoformat(text)
        found = found if found.tzinfo else found.replace(tzinfo=UTC)
        found.astimezone(UTC)
    except OverflowError as error:
        raise WrongUsage(f"{option} {text!r} is outside of the years 1 to 9999 of UTC") from error
    except ValueError as error:
        raise WrongUsage(f"{option} {text!r} is not an ISO 8601 date and time, such as 2026-11-21T06:00:00Z") from error
    return found


NEVER = "never"
_AGE = re.compile(r"([1-9][0-9]{0,5})([dh])")
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1)}


def parse_age(text: str) -> timedelta | None:
    """`30d` or `12h`; None for `never`. Raises WrongUsage."""
    if text == NEVER:
        return None
    found = _AGE.fullmatch(text)
    if found is None:
        raise WrongUsage(f"{text!r} is no age; it is written as 30d, 12h or {NEVER}")
    return int(found[1]) * _UNITS[found[2]]


def written_age(age: timedelta | None) -> str:
    """As `parse_age` reads it."""
    if age is None:
        return NEVER
    hours = age // _UNITS["h"]
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"


DocumentIds = Annotated[list[int] | None, typer.Argument(metavar="ID", help="Numbers that `list` shows.")]
OfReason = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT", help="All documents of a reason, as `list --by-reason` shows it.", callback=refuse_empty
    ),
]
EveryDocument = Annotated[bool, typer.Option("--all", help="All documents.")]
"""Which documents of the quarantine: these three are of `retry`, too, which `ingest` has."""
