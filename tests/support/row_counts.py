"""How many rows the tables that events fill have."""

from __future__ import annotations

from collections import Counter

from lineage_core.declare.tables import all_tables
from lineage_core.postgres.store import Store
from tests.support.stores import PLATFORM, rows

ALONG_WITH_VERSIONS = "dataset_schema_alerts"
"""It is about the work of people, and yet goes with the versions that it names."""


def counted(store: Store) -> Counter[str]:
    """Of each table that has any; where a view stands for one there is nothing to count."""
    stored = {name for (name,) in rows(store, "SELECT relname FROM pg_class WHERE relkind = 'r'")}
    others = PLATFORM - {ALONG_WITH_VERSIONS}
    names = [table.name for table in all_tables() if table.name in stored and table.name not in others]
    one = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in names)
    return Counter({name: number for name, number in rows(store, one) if number})
