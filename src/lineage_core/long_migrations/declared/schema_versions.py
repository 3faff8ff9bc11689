"""Phase 2 of seed 000: every dataset version gets the schema version of the fields that its old mapping holds."""

from __future__ import annotations

from lineage_core.long_migrations.declared import CostlyIndexes, LongMigration, Replacement

MIGRATION = LongMigration(
    name="schema-versions",
    doc="Gives every dataset version the schema version of its fields, in short transactions, while the store is in"
    " use.",
    table="dataset_versions",
    key="uuid",
    key_type="uuid",
    writes=("dataset_versions", "dataset_schema_versions", "dataset_schema_versions_field_mapping"),
    reads=("dataset_versions_field_mapping", "dataset_fields", "datasets", "namespaces"),
    replaces=Replacement(
        "dataset_versions_field_mapping",
        by=("dataset_schema_versions", "dataset_schema_versions_field_mapping"),
    ),
    costly=CostlyIndexes(("dataset_versions_schema_version_index",), "dataset_schema_version_uuid IS NULL"),
)
