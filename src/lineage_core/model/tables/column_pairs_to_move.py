"""column_pairs_to_move: the pairs of columns that a release of before has kept one by one."""

from __future__ import annotations

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import DERIVED, TEXT, TIMESTAMPTZ, UUID, Column, Index, Table, varchar

TABLE = Table(
    name="column_pairs_to_move",
    doc=(
        "The pairs of lists that are not in `column_lineage_lists`: an earlier release has kept them one by one."
        " Nothing is added, and the long migration `column-pairs` empties it."
    ),
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
        Index("column_pairs_to_move_output_index", "(output_dataset_field_uuid)", "Lineage of one column, upstream."),
        Index("column_pairs_to_move_input_index", "(input_dataset_field_uuid)", "Lineage of one column, downstream."),
    ),
    retention=(
        Leaves(
            "leaving_column_pairs_to_move",
            column="pairs_uuid",
            planned="uuid",
            counted="leaving_pairs_to_move",
        ),
        Keeps("dataset_fields", ("output_dataset_field_uuid", "input_dataset_field_uuid")),
    ),
)
