"""The pairs of columns that an earlier release has kept one by one become arrays of their lists."""

from __future__ import annotations

from lineage_core.long_migrations.declared import LongMigration

MIGRATION = LongMigration(
    name="column-pairs",
    doc="Moves the pairs of columns of each list into one row, in short transactions, while the store is in use.",
    table="column_pairs_to_move",
    key="pairs_uuid",
    key_type="uuid",
    writes=("column_lineage_lists", "column_pairs_to_move"),
    reads=("column_lineage_versions", "dataset_fields"),
    moves=True,
)
