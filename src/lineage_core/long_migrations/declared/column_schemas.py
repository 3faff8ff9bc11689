"""The columns of datasets get the schema that describes them last, in place of the order of its last event."""

from __future__ import annotations

from lineage_core.long_migrations.declared import LongMigration

MIGRATION = LongMigration(
    name="column-schemas",
    doc="Names for each column of a dataset the schema that describes it last, in short transactions, while the store"
    " is in use.",
    table="dataset_fields",
    key="dataset_uuid",
    key_type="uuid",
    writes=("dataset_fields",),
    reads=("dataset_schemas", "datasets"),
    moves=True,
)
