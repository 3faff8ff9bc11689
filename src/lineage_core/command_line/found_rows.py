"""Rows that a query has found, and how a command prints them: a table for people, JSON, or CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from lineage_core.command_line.results import cell_text, csv_text, harmless, show
from lineage_core.errors import WrongUsage

MOST_ROWS = 1_000

Limit = Annotated[int, typer.Option("--limit", min=1, help="Most rows to show.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV, with a line of names.")]


@dataclass(frozen=True)
class FoundRows:
    """Two columns may have one name. is_complete: whether these are all rows that there are."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    is_complete: bool = True


def refuse_two_forms(*, as_json: bool, as_csv: bool) -> None:
    """Raises WrongUsage."""
    if as_json and as_csv:
        raise WrongUsage("--json and --csv exclude each other")


def show_rows(found: FoundRows, limit: int, *, as_json: bool, as_csv: bool) -> None:
    """Print them; on standard error, that there are more than `limit`."""
    if as_csv:
        typer.echo(csv_text(found.columns, found.rows), nl=False)
    else:
        objects = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        show(objects, _table(found), as_json=as_json)
    if not found.is_complete:
        typer.echo(f"There are more than {limit:,} rows; --limit shows more.", err=True)


def _table(found: FoundRows) -> Iterator[str]:
    """Columns as wide as what is in them, for people: nothing is cut."""
    cells = [found.columns, *([harmless(cell_text(value)).replace("\n", " ") for value in row] for row in found.rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(found.columns))]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
