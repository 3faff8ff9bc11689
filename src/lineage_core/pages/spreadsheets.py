"""Answers for spreadsheets: CSV of which no cell is run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lineage_core.command_line.results import csv_text

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""With what a text begins that spreadsheets take for a formula, and run."""


@dataclass(frozen=True)
class Spreadsheet:
    """rows: a value for each column. complete: whether these are all."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    complete: bool

    @property
    def text(self) -> str:
        """As CSV."""
        return csv_text(self.columns, ([_harmless(value) for value in row] for row in self.rows))


def _harmless(value: Any) -> Any:
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULAS) else text
