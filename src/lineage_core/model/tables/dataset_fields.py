"""dataset_fields: every column that a dataset ever had, a row for each name and type."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Leaves
from lineage_core.declare.vocabulary import (
    DERIVED,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Earliest,
    Index,
    Newest,
    Reference,
    Table,
    TableStream,
    varchar,
)

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")

TABLE = Table(
    name="dataset_fields",
    doc="Every column that a dataset ever had, a row for each name and type; derived from dataset_schemas.",
    columns=(
        Column("uuid", UUID, DERIVED, "Follows from dataset, name and type.", nullable=False, entity="dataset_fields"),
        Column("type", TEXT, DERIVED, "Its type as spelled; null if no event gave one."),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of the first event that had it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of the last event that had it.", nullable=False),
        Column("dataset_uuid", UUID, DERIVED, "Its dataset.", reference=Reference("datasets"), entity="datasets"),
        Column("name", varchar(255), DERIVED, "Its name.", nullable=False),
        Column("description", TEXT, LATEST, "Its description in that event."),
    ),
    primary_key=("uuid",),
    indexes=(
        Index("dataset_fields_dataset_uuid", "(dataset_uuid)", "The columns of a dataset, as the API lists them."),
    ),
    stream=TableStream(event_time=("created_at",)),
    retention=(
        Leaves("leaving_dataset_fields", planned="uuid"),
        GoesWith("datasets", "dataset_uuid"),
    ),
)
