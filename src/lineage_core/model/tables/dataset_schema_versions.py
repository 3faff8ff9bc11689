"""dataset_schema_versions: each set of names and types that versions of a dataset had (seed 000)."""

from __future__ import annotations

from lineage_core.declare.leaving import ChangesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    DERIVED,
    TIMESTAMPTZ,
    UUID,
    UUIDS,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
)

TABLE = Table(
    name="dataset_schema_versions",
    doc="Each set of names and types that versions of a dataset had; made once, never changed, used again.",
    columns=(
        Column("uuid", UUID, DERIVED, "Follows from dataset, names and types.", nullable=False),
        Column("dataset_uuid", UUID, DERIVED, "Its dataset.", reference=Reference("datasets"), entity="datasets"),
        Column("created_at", TIMESTAMPTZ, DERIVED, "When the first version with it was made.", nullable=False),
        Column(
            "field_uuids",
            UUIDS,
            DERIVED,
            "Its columns, rows of `dataset_fields`, by uuid; null while they are in `schema_fields_to_move`.",
        ),
    ),
    primary_key=("uuid",),
    indexes=(
        Index(
            "dataset_schema_versions_dataset_uuid_index", "(dataset_uuid)", "History of a dataset's schema; removal."
        ),
    ),
    # The stream of the view dataset_schema_versions_field_mapping has its columns.
    stream=TableStream(event_time=("created_at",), without=("field_uuids",)),
    retention=(
        Leaves("leaving_schema_versions", statement="schema_versions/dataset_schema_versions"),
        ChangesWith("dataset_versions", "versions/name_first_versions", once_gone=True),
        Keeps("datasets", ("dataset_uuid",)),
        Keeps("dataset_fields", ("field_uuids",)),
    ),
)
