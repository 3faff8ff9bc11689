"""dataset_fields_tag_mapping: the tags that events and people put on columns."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    DERIVED,
    TIMESTAMP,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
)
from lineage_core.model.meaning.labels import IS_REPORTED

TABLE = Table(
    name="dataset_fields_tag_mapping",
    doc="The tags that events and people put on columns.",
    open_to_operators=True,
    marquez_rights="INSERT, DELETE",
    columns=(
        Column(
            "dataset_field_uuid",
            UUID,
            DERIVED,
            "Column that bears the tag.",
            nullable=False,
            reference=Reference("dataset_fields"),
        ),
        Column("tag_uuid", UUID, DERIVED, "Tag that it bears.", nullable=False, reference=Reference("tags")),
        Column(
            "tagged_at",
            TIMESTAMP,
            DERIVED,
            "When a person put it there, or the time of the event that reports it, in UTC.",
            nullable=False,
        ),
        IS_REPORTED,
    ),
    primary_key=("tag_uuid", "dataset_field_uuid"),
    indexes=(
        Index(
            "dataset_fields_tag_mapping_dataset_field_uuid_index",
            "(dataset_field_uuid)",
            "Tags of one column; removal of a column.",
        ),
    ),
    stream=TableStream(event_time=("tagged_at",)),
    retention=(
        GoesWith("datasets", statement="datasets/dataset_fields_tag_mapping", counted="leaving_field_tags"),
        GoesWith("dataset_fields", "dataset_field_uuid"),
    ),
)
