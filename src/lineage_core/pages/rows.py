"""Rows as pages have them: mappings by the names of columns, and whether there are more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, row_or_none

MOST_ROWS = 100
"""Of one list of a page that has several."""


@dataclass(frozen=True)
class RowList:
    """rows: in the order of the list. complete: whether these are all."""

    complete: bool
    rows: Sequence[Mapping[str, Any]]


def row(connection: Connection, statement: str, **parameters: Any) -> dict[str, Any] | None:
    return row_or_none(connection, dict, f"pages/{statement}", parameters)


def every(connection: Connection, statement: str, **parameters: Any) -> list[dict[str, Any]]:
    """All rows, of a statement that is asked for things by their ids."""
    found: list[dict[str, Any]] = every_row(connection, dict, f"pages/{statement}", parameters)
    return found


def listed(connection: Connection, statement: str, most: int = MOST_ROWS, **parameters: Any) -> RowList:
    """At most `most` rows. The statement is asked for one more, which says whether there are more."""
    found: list[dict[str, Any]] = every_row(connection, dict, f"pages/{statement}", {**parameters, "most": most + 1})
    return RowList(len(found) <= most, found[:most])
