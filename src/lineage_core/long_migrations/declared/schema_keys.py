"""The keys of the fields of schemas that an earlier release has kept with the fields become an array."""

from __future__ import annotations

from lineage_core.long_migrations.declared import LongMigration

MIGRATION = LongMigration(
    name="schema-keys",
    doc="Moves the keys of the fields of schemas into an array of their row, in short transactions, while the store is"
    " in use.",
    table="dataset_schemas",
    key="uuid",
    key_type="uuid",
    writes=("dataset_schemas",),
    moves=True,
)
