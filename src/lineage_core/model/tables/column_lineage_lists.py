"""column_lineage_lists: lists of pairs of columns, each list once for all versions between which it holds."""

from __future__ import annotations

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import DERIVED, TEXTS, TIMESTAMPTZS, UUID, UUIDS, Column, Index, Table

TABLE = Table(
    name="column_lineage_lists",
    doc=(
        "Lists of pairs of columns, each once for all versions between which it holds: column_lineage shows them. The"
        " arrays of a list have an element a pair, in the order of the columns written and read, or are null where no"
        " pair has any."
    ),
    columns=(
        Column("pairs_uuid", UUID, DERIVED, "The list: the first half of the SHA-256 of its pairs.", nullable=False),
        Column("output_dataset_uuid", UUID, DERIVED, "The dataset of all columns that were written.", nullable=False),
        Column("input_dataset_uuid", UUID, DERIVED, "The dataset of all columns that were read.", nullable=False),
        Column("output_field_uuids", UUIDS, DERIVED, "Columns that were written.", nullable=False),
        Column("input_field_uuids", UUIDS, DERIVED, "Columns that were read, one for each of these.", nullable=False),
        Column("transformation_descriptions", TEXTS, DERIVED, "What was done to each, in the producer's words."),
        Column("transformation_types", TEXTS, DERIVED, "Kinds of transformation, such as IDENTITY or MASKED."),
        Column(
            "first_stated_at",
            TIMESTAMPTZS,
            DERIVED,
            "Times of the first events that say them, where not those of the versions.",
        ),
        Column(
            "last_stated_at",
            TIMESTAMPTZS,
            DERIVED,
            "Times of the last events that say them, where not those of the versions.",
        ),
    ),
    primary_key=("pairs_uuid",),
    indexes=(
        Index(
            "column_lineage_lists_output_index",
            "(output_dataset_uuid)",
            "Lineage of one column, upstream, by its dataset.",
        ),
        Index(
            "column_lineage_lists_input_index",
            "(input_dataset_uuid)",
            "Lineage of one column, downstream, by its dataset.",
        ),
    ),
    retention=(
        Leaves("leaving_column_lineage_lists", column="pairs_uuid", planned="uuid"),
        Keeps("dataset_fields", ("output_field_uuids", "input_field_uuids")),
    ),
)
