"""Phase 2 of seed 000: every dataset version gets the schema version of the fields that its old mapping holds."""

from __future__ import annotations

from lineage_core.long_migrations.declared import Comparison, CostlyIndexes, LongMigration, Replacement

MIGRATION = LongMigration(
    name="schema-versions",
    doc="Gives every dataset version the schema version of its fields, in short transactions, while the store is in"
    " use.",
    table="dataset_versions",
    key="uuid",
    key_type="uuid",
    writes=("dataset_versions", "dataset_schema_versions", "schema_fields_to_move"),
    reads=("dataset_versions_field_mapping", "dataset_fields", "datasets", "namespaces"),
    replaces=Replacement(
        "dataset_versions_field_mapping",
        by=("dataset_schema_versions",),
        # An old mapping may have a column more than once; for readers of the new one it is one (`multiplied`). Marquez
        # wrote columns without a type again each time, and the first of them represents all (`replaced`).
        compared=Comparison(
            "versions",
            sums=(
                "versions",
                "old_rows",
                "old_columns",
                "old_checksum",
                "new_columns",
                "new_checksum",
                "multiplied",
                "replaced",
            ),
            sentences="{versions:,} versions: {old_rows:,} old rows are {old_columns:,} columns with checksum"
            " {old_checksum}; the new mapping gives {new_columns:,} with checksum {new_checksum}.\n"
            "Explained: {multiplied:,} versions had columns more than once, and {replaced:,} get another"
            " row of a column of the same name and type",
        ),
    ),
    costly=CostlyIndexes(("dataset_versions_schema_version_index",), "dataset_schema_version_uuid IS NULL"),
)
