"""Answers as CSV, for spreadsheets."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from lineage_core.command_line.results import iso_8601

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""With what a text begins that spreadsheets take for a formula, and run."""


@dataclass(frozen=True)
class Spreadsheet:
    """rows: a value for each column. complete: whether these are all."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    complete: bool


def csv_text(sheet: Spreadsheet) -> str:
    """Lines of CSV below one of the columns' names."""
    made = StringIO()
    writer = csv.writer(made)
    writer.writerow(sheet.columns)
    writer.writerows([_cell(value) for value in row] for row in sheet.rows)
    return made.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return _cell(", ".join(map(str, value)))
    text = iso_8601(value) if hasattr(value, "isoformat") else str(value)
    return f"'{text}" if text.startswith(_FORMULAS) else text
