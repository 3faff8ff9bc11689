"""How many rows the tables that events fill have."""

from __future__ import annotations

from collections import Counter

from lineage_core.model.tables import all_tables
from tests.support.stores import PLATFORM, rows


def counted(dsn: str) -> Counter[str]:
    """Of each table that has any; where a view stands for one there is nothing to count."""
    stored = {name for (name,) in rows(dsn, "SELECT relname FROM pg_class WHERE relkind = 'r'")}
    names = [table.name for table in all_tables() if table.name in stored and table.name not in PLATFORM]
    one = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in names)
    return Counter({name: number for name, number in rows(dsn, one) if number})
