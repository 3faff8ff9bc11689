"""dataset_schema_versions_field_mapping: the columns of each schema version (seed 000)."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    DERIVED,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
)

TABLE = Table(
    name="dataset_schema_versions_field_mapping",
    doc="The columns of each schema version.",
    columns=(
        Column(
            "dataset_schema_version_uuid",
            UUID,
            DERIVED,
            "The schema version.",
            nullable=False,
            reference=Reference("dataset_schema_versions"),
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
    primary_key=("dataset_schema_version_uuid", "dataset_field_uuid"),
    indexes=(
        Index(
            "dataset_schema_versions_field_mapping_field_index",
            "(dataset_field_uuid)",
            "Schema versions with a column; removal of a column.",
        ),
    ),
    stream=TableStream(),
    retention=(
        GoesWith(
            "dataset_schema_versions",
            statement="schema_versions/dataset_schema_versions_field_mapping",
            counted="leaving_schema_fields",
        ),
        Keeps("dataset_fields", ("dataset_field_uuid",)),
    ),
)
