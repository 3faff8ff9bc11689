"""The columns of schema versions that an earlier release has kept one by one become one array each."""

from __future__ import annotations

from lineage_core.long_migrations.declared import LongMigration

MIGRATION = LongMigration(
    name="schema-fields",
    doc="Moves the columns of schema versions into their rows, in short transactions, while the store is in use.",
    table="dataset_schema_versions",
    key="uuid",
    key_type="uuid",
    writes=("dataset_schema_versions", "schema_fields_to_move"),
    moves=True,
)
