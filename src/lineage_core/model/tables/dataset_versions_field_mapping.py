"""dataset_versions_field_mapping: the columns of each dataset version, until phase 3 of seed 000 drops it."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import DERIVED, UUID, Column, Index, Reference, Table

TABLE = Table(
    name="dataset_versions_field_mapping",
    doc="The columns of each dataset version, those of its readers' schemas too; written beside the schema versions.",
    columns=(
        Column(
            "dataset_version_uuid",
            UUID,
            DERIVED,
            "The dataset version.",
            nullable=False,
            reference=Reference("dataset_versions"),
        ),
        Column(
            "dataset_field_uuid",
            UUID,
            DERIVED,
            "A column of it.",
            nullable=False,
            reference=Reference("dataset_fields"),
        ),
    ),
    primary_key=("dataset_version_uuid", "dataset_field_uuid"),
    replacement="long_migrations/schema-versions/drop",
    indexes=(
        Index(
            "dataset_versions_field_mapping_index",
            "(dataset_field_uuid)",
            "Versions with a column, as the API's column lineage asks; removal of a column.",
        ),
    ),
    retention=(
        GoesWith("dataset_versions", "dataset_version_uuid"),
        Keeps("dataset_fields", ("dataset_field_uuid",)),
    ),
)
