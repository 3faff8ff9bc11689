"""column_lineage_pairs: lists of pairs of columns, each list once for all versions between which it holds."""

from __future__ import annotations

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import DERIVED, TEXT, TIMESTAMPTZ, UUID, Column, Index, Table, varchar

TABLE = Table(
    name="column_lineage_pairs",
    doc="Lists of pairs of columns, each once for all versions between which it holds: column_lineage shows them.",
    columns=(
        Column("pairs_uuid", UUID, DERIVED, "The list: the first half of the SHA-256 of its pairs.", nullable=False),
        Column("output_dataset_field_uuid", UUID, DERIVED, "Column that was written.", nullable=False),
        Column("input_dataset_field_uuid", UUID, DERIVED, "Column that was read.", nullable=False),
        Column("transformation_description", TEXT, DERIVED, "What was done to the input, in the producer's words."),
        Column("transformation_type", varchar(255), DERIVED, "Kind of transformation, such as IDENTITY or MASKED."),
        Column(
            "created_at", TIMESTAMPTZ, DERIVED, "Time of the first event that says it, if not that of the versions."
        ),
        Column("updated_at", TIMESTAMPTZ, DERIVED, "Time of the last event that says it, if not that of the versions."),
    ),
    primary_key=("pairs_uuid", "output_dataset_field_uuid", "input_dataset_field_uuid"),
    indexes=(
        Index("column_lineage_pairs_output_index", "(output_dataset_field_uuid)", "Lineage of one column, upstream."),
        Index("column_lineage_pairs_input_index", "(input_dataset_field_uuid)", "Lineage of one column, downstream."),
    ),
    retention=(
        Leaves("leaving_column_lineage_pairs", column="pairs_uuid", planned="uuid"),
        Keeps("dataset_fields", ("output_dataset_field_uuid", "input_dataset_field_uuid")),
    ),
)
