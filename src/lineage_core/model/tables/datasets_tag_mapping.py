"""datasets_tag_mapping: the tags that events and people put on datasets."""

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
    name="datasets_tag_mapping",
    doc="The tags that events and people put on datasets.",
    open_to_operators=True,
    marquez_rights="INSERT, DELETE",
    columns=(
        Column(
            "dataset_uuid",
            UUID,
            DERIVED,
            "Dataset that bears the tag.",
            nullable=False,
            reference=Reference("datasets"),
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
    primary_key=("tag_uuid", "dataset_uuid"),
    indexes=(
        Index(
            "datasets_tag_mapping_dataset_uuid_index",
            "(dataset_uuid)",
            "Tags of one dataset; removal of a dataset.",
        ),
    ),
    stream=TableStream(event_time=("tagged_at",)),
    retention=(GoesWith("datasets", "dataset_uuid"),),
)
