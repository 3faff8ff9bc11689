"""How much the earlier store holds, and how many rows each table has in both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from psycopg import sql

from lineage_core.carry_over.store.kept import HISTORIES, HORIZONS, KEPT, LEFT_BEHIND
from lineage_core.declare.tables import all_tables, normalized_tables
from lineage_core.declare.views import all_views
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.migration_files import VERSION_TABLE
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_value, one_row, one_value

NOT_COMPARED = frozenset({"lineage_events_by_type_hourly_view", "waiting_events", *HISTORIES})
"""What is refreshed once an hour, what waits, and tables to which an upgrade adds rows."""


@dataclass(frozen=True)
class RawEvents:
    """How many raw events a store holds, and the bytes of their texts."""

    number: int
    bytes: int


@dataclass(frozen=True)
class RowCounts:
    """The rows of a table or view in the earlier store, and in the new one."""

    table: str
    earlier: int
    new: int


def raw_events(store: Store) -> RawEvents:
    with store.connect() as connection:
        return one_row(connection, RawEvents, "carry_over/events")


def archived_months(earlier: Store) -> list[str]:
    """The months of which raw events are in archives, so that nothing can be made of them here."""
    with earlier.connect() as connection:
        if "archived_event_months" not in relations(connection):
            return []
        return every_value(connection, str, "carry_over/archived_months")


def has_horizons(connection: Connection) -> bool:
    """Whether retention has deleted runs or versions of a store of this release."""
    return HORIZONS in relations(connection) and one_value(connection, bool, "carry_over/has_horizons")


def tells_expired_events(earlier: Store) -> bool:
    """Whether retention has deleted what events say, and the store can tell of which it holds them still."""
    with earlier.connect() as connection:
        if HORIZONS not in relations(connection):
            return False
        return one_value(connection, bool, "carry_over/has_horizons") and one_value(
            connection, bool, "carry_over/functions_exist"
        )


def counted(
    earlier: Store, new: Store, progress: Callable[[int, int], object] = lambda _done, _total: None
) -> list[RowCounts]:
    """What both hold of each table and view that users read, and of what is kept. progress: called with how many are
    counted, and of how many."""
    tables = {table.name for table in normalized_tables()} | {*KEPT, "lineage_events"}
    read = tables | {view.name for view in all_views()}
    with earlier.connect() as old, new.connect() as made:
        shared = (relations(old) & relations(made) & read) - NOT_COMPARED
        found = list[RowCounts]()
        for name in sorted(shared):
            progress(len(found), len(shared))
            found.append(RowCounts(name, _number(old, name), _number(made, name)))
        return found


def unknown_tables(earlier: Store) -> list[str]:
    """Tables of the earlier store of which nothing is made, kept or reported."""
    with earlier.connect() as connection:
        known = {table.name for table in all_tables()} | {view.name for view in all_views()}
        return sorted(relations(connection) - known - {*LEFT_BEHIND, VERSION_TABLE})


def relations(connection: Connection) -> set[str]:
    """The names of its tables and views."""
    return set(every_value(connection, str, "carry_over/relations"))


def _number(connection: Connection, table: str) -> int:
    return one_value(connection, int, composed("carry_over/number_of_rows", table=sql.Identifier(table)))
