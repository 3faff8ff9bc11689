"""Which tables the normalization fills."""

from __future__ import annotations

from lineage_core.relation import DERIVED, Table
from lineage_core.tables import all_tables


def normalized_tables() -> tuple[Table, ...]:
    """The tables that hold what events say, and what is derived of it, parents first."""
    return tuple(table for table in all_tables() if _is_normalized(table))


def _is_normalized(table: Table) -> bool:
    return table.rows is not None or any(column.rule == DERIVED for column in table.columns)
