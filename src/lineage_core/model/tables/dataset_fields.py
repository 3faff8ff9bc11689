"""dataset_fields: every column that a dataset ever had, a row for each name and type."""

from __future__ import annotations

from lineage_core.declare.leaving import ChangesWith, GoesWith, Leaves
from lineage_core.declare.vocabulary import (
    BYTEA,
    DERIVED,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Earliest,
    Index,
    Table,
    TableStream,
    unenforced,
    varchar,
)

FIRST = Earliest("first_event")

TABLE = Table(
    name="dataset_fields",
    doc="Every column that a dataset ever had, a row for each name and type; derived from dataset_schemas.",
    columns=(
        Column("uuid", UUID, DERIVED, "Follows from dataset, name and type.", nullable=False, entity="dataset_fields"),
        Column("type", TEXT, DERIVED, "Its type as spelled; null if no event gave one."),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of the first event that had it.", nullable=False),
        Column(
            "updated_at",
            TIMESTAMPTZ,
            DERIVED,
            "Time of the first event with the schema that describes it now.",
            nullable=False,
        ),
        Column("dataset_uuid", UUID, DERIVED, "Its dataset.", reference=unenforced("datasets"), entity="datasets"),
        Column("name", varchar(255), DERIVED, "Its name.", nullable=False),
        Column("description", TEXT, DERIVED, "Its description in that schema."),
        Column(
            "schema_uuid",
            UUID,
            DERIVED,
            "Of all schemas that have it, the one described last; null where `latest_event` stands for it.",
        ),
        Column(
            "latest_event",
            BYTEA,
            DERIVED,
            "Order of the last event of a schema that is gone, or of a row that an earlier release wrote.",
        ),
    ),
    primary_key=("uuid",),
    indexes=(
        Index("dataset_fields_dataset_uuid", "(dataset_uuid)", "The columns of a dataset, as the API lists them."),
    ),
    stream=TableStream(event_time=("created_at",), without=("schema_uuid", "latest_event")),
    retention=(
        Leaves("leaving_dataset_fields", planned="uuid"),
        GoesWith("datasets", "dataset_uuid"),
        ChangesWith("dataset_schemas", "dataset_schemas/leave_descriptions", clears=("dataset_schemas",)),
    ),
)
