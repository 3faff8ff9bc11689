"""dataset_version_timeline: which version of a dataset was current from when."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import BOOLEAN, BYTEA, DERIVED, UUID, Column, Index, Table, unenforced

TABLE = Table(
    name="dataset_version_timeline",
    doc="Which version of a dataset was current from when, by the order of events.",
    columns=(
        Column("dataset_uuid", UUID, DERIVED, "The dataset.", nullable=False, reference=unenforced("datasets")),
        Column("event_order", BYTEA, DERIVED, "Order of the event that made it current.", nullable=False),
        Column(
            "is_written",
            BOOLEAN,
            DERIVED,
            "Written or declared; false where the first reader of an unknown dataset made it.",
            nullable=False,
        ),
        Column("version_uuid", UUID, DERIVED, "The version.", nullable=False),
    ),
    primary_key=("dataset_uuid", "event_order", "is_written"),
    indexes=(
        Index(
            "dataset_version_timeline_reader_index",
            "(dataset_uuid)",
            "The version that a reader made, if one did.",
            where="NOT is_written",
        ),
    ),
    retention=(
        GoesWith("dataset_versions", statement="versions/dataset_version_timeline", counted="leaving_rows"),
        Keeps("datasets", ("dataset_uuid",)),
    ),
)
