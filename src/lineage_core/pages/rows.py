"""Rows as pages have them: mappings by the names of columns, and whether there are more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, one_row, row_or_none

MOST_ROWS = 100
"""Of one list of a page that has several."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class RowList(Generic[Row]):
    """rows: in the order of the list. complete: whether these are all."""

    complete: bool
    rows: Sequence[Row]


def row(connection: Connection, make: Callable[..., Row], statement: str, **parameters: Any) -> Row | None:
    """make: the TypedDict that has the columns of the statement, here and below."""
    return row_or_none(connection, make, f"pages/{statement}", parameters)


def known_row(connection: Connection, make: Callable[..., Row], statement: str, **parameters: Any) -> Row:
    """Of a statement that is asked for something that is there."""
    return one_row(connection, make, f"pages/{statement}", parameters)


def every(connection: Connection, make: Callable[..., Row], statement: str, **parameters: Any) -> list[Row]:
    """All rows, of a statement that is asked for things by their ids."""
    return every_row(connection, make, f"pages/{statement}", parameters)


def listed(
    connection: Connection, make: Callable[..., Row], statement: str, most: int = MOST_ROWS, **parameters: Any
) -> RowList[Row]:
    """At most `most` rows. The statement is asked for one more, which says whether there are more."""
    return cut(every_row(connection, make, f"pages/{statement}", {**parameters, "most": most + 1}), most)


def cut(found: Sequence[Row], most: int) -> RowList[Row]:
    """At most `most` of these rows. Where one more was asked for, it says whether there are more."""
    return RowList(len(found) <= most, found[:most])
