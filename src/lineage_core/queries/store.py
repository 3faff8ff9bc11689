"""What a named query answers in a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg

from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.queries.named import query_named


@dataclass(frozen=True)
class Answer:
    """What a query found."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    is_complete: bool = True
    """Whether these are all rows that there are."""


def answer(store: Store, query: str, given: Mapping[str, str], limit: int | None = None) -> Answer:
    """Run `sql/queries/<query>.sql`, in a transaction that can only read, with its parameters bound.

    limit: how many rows to give at most. Raises WrongUsage for a parameter that is missing, unknown, or that Postgres
    cannot read as what it is meant to be.
    """
    asked = query_named(query)
    bound = asked.bound(given)
    with store.session("lineage_reader") as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        try:
            found = connection.execute(asked.statement, bound)
        except psycopg.DataError as error:
            raise WrongUsage(f"The query {query} cannot use a parameter: {error.diag.message_primary}") from error
        rows = found.fetchall() if limit is None else found.fetchmany(limit + 1)
        columns = tuple(column.name for column in found.description or ())
    shown = rows if limit is None else rows[:limit]
    return Answer(columns, tuple(map(tuple, shown)), len(shown) == len(rows))
