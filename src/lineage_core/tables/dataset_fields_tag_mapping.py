"""dataset_fields_tag_mapping: the tags that people put on columns."""

from __future__ import annotations

from lineage_core.relation import OPERATOR, TIMESTAMP, UUID, Column, Index, Reference, Table

TABLE = Table(
    name="dataset_fields_tag_mapping",
    doc="The tags that people put on columns.",
    columns=(
        Column(
            "dataset_field_uuid",
            UUID,
            OPERATOR,
            "Column that bears the tag.",
            nullable=False,
            reference=Reference("dataset_fields"),
        ),
        Column("tag_uuid", UUID, OPERATOR, "Tag that it bears.", nullable=False, reference=Reference("tags")),
        Column("tagged_at", TIMESTAMP, OPERATOR, "When it was put there, in UTC.", nullable=False),
    ),
    primary_key=("tag_uuid", "dataset_field_uuid"),
    indexes=(
        Index(
            "dataset_fields_tag_mapping_dataset_field_uuid_index",
            "(dataset_field_uuid)",
            "Tags of one column; removal of a column.",
        ),
    ),
)
