"""A store from before its migrations were history: it may have any tables, so no upgrade knows what it lacks."""

from __future__ import annotations

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_value

FIRST_LANDED = "a14ac68b687453a4150ecec22d7fa736bbeac26d11163cf8bec56cffd5b09772"
"""The digest that a store keeps whose first migration still had functions and views. It has the tables that the first
migration makes now; states before it had others."""

EARLIER_STORE = (
    "The store was made before its migrations were history. Where `lineage db upgrade` cannot bring it up to date,"
    " `lineage db carry-over` makes one of this release of it, beside it, and says first how long that takes and how"
    " much disk"
)


def is_earlier(connection: Connection) -> bool:
    """Whether there is such a store."""
    return one_value(connection, bool, "postgres/is_earlier", {"first_landed": FIRST_LANDED})
