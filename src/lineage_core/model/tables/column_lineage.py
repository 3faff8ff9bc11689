"""column_lineage: which input column of a run an output column was made from."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    DERIVED,
    TEXT,
    TIMESTAMP,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    Unique,
    varchar,
)

TABLE = Table(
    name="column_lineage",
    doc="Which input column an output column was made from, a row for each pair of dataset versions.",
    columns=(
        Column(
            "output_dataset_version_uuid",
            UUID,
            DERIVED,
            "Version that the output column belongs to.",
            reference=Reference("dataset_versions"),
        ),
        Column(
            "output_dataset_field_uuid",
            UUID,
            DERIVED,
            "Column that was written.",
            reference=Reference("dataset_fields"),
        ),
        Column(
            "input_dataset_version_uuid",
            UUID,
            DERIVED,
            "Version that the input column was read from.",
            reference=Reference("dataset_versions"),
        ),
        Column(
            "input_dataset_field_uuid",
            UUID,
            DERIVED,
            "Column that was read.",
            reference=Reference("dataset_fields"),
        ),
        Column("transformation_description", TEXT, DERIVED, "What was done to the input, in the producer's words."),
        Column("transformation_type", varchar(255), DERIVED, "Kind of transformation, such as IDENTITY or MASKED."),
        Column("created_at", TIMESTAMP, DERIVED, "Time of the first event that says it, in UTC.", nullable=False),
        Column("updated_at", TIMESTAMP, DERIVED, "Time of the last event that says it, in UTC.", nullable=False),
    ),
    unique=(
        Unique(
            (
                "output_dataset_version_uuid",
                "output_dataset_field_uuid",
                "input_dataset_version_uuid",
                "input_dataset_field_uuid",
            ),
            "column_lineage_output_dataset_version_uuid_output_dataset_f_key",
        ),
    ),
    indexes=(
        Index(
            "column_lineage_output_dataset_field_uuid_index",
            "(output_dataset_field_uuid)",
            "Lineage of one column, upstream; removal of a column.",
        ),
        Index(
            "column_lineage_input_dataset_version_uuid_index",
            "(input_dataset_version_uuid)",
            "Removal of a dataset version that was read.",
        ),
        Index(
            "column_lineage_input_dataset_field_uuid_index",
            "(input_dataset_field_uuid)",
            "Lineage of one column, downstream; removal of a column.",
        ),
    ),
)
