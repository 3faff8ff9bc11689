"""datasets_tag_mapping: the tags that people put on datasets."""

from __future__ import annotations

from lineage_core.relation import OPERATOR, TIMESTAMP, UUID, Column, Index, Reference, Table

TABLE = Table(
    name="datasets_tag_mapping",
    doc="The tags that people put on datasets.",
    columns=(
        Column(
            "dataset_uuid",
            UUID,
            OPERATOR,
            "Dataset that bears the tag.",
            nullable=False,
            reference=Reference("datasets"),
        ),
        Column("tag_uuid", UUID, OPERATOR, "Tag that it bears.", nullable=False, reference=Reference("tags")),
        Column("tagged_at", TIMESTAMP, OPERATOR, "When it was put there, in UTC.", nullable=False),
    ),
    primary_key=("tag_uuid", "dataset_uuid"),
    indexes=(
        Index(
            "datasets_tag_mapping_dataset_uuid_index",
            "(dataset_uuid)",
            "Tags of one dataset; removal of a dataset.",
        ),
    ),
)
