"""dataset_schemas: every schema that an event described, with the descriptions and the order of its fields."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.dataset_descriptions import described_schema, mentioned_dataset
from lineage_core.events import Event
from lineage_core.relation import (
    JSONB,
    KEY,
    MIN,
    SAME,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Newest,
    Reference,
    Row,
    Table,
)

LATEST = Newest("latest_event")


def rows(event: Event) -> Iterator[Row]:
    """An event may describe one dataset twice: the later description is the newer, so the order tells the place."""
    for place, dataset in enumerate(event.datasets):
        schema = described_schema(dataset)
        yield {
            "uuid": schema.uuid,
            "dataset_uuid": mentioned_dataset(dataset),
            "schema_version_uuid": schema.version,
            "fields": schema.listed,
            "keyed_fields": schema.keyed,
            "created_at": event.time,
            "updated_at": event.time,
            LATEST.order: event.order + place.to_bytes(4),
        }


TABLE = Table(
    name="dataset_schemas",
    doc="Every schema that an event described. Fields, schema versions and their mappings follow from it.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the dataset and the list of fields as it stands.", nullable=False),
        Column(
            "dataset_uuid",
            UUID,
            SAME,
            "Dataset that it describes.",
            nullable=False,
            reference=Reference("datasets"),
            entity="datasets",
        ),
        Column("schema_version_uuid", UUID, SAME, "Schema version with the same names and types.", nullable=False),
        Column("fields", JSONB, SAME, "The fields as dataset_versions.fields has them; null without a list."),
        Column("keyed_fields", JSONB, SAME, "The same fields, each with its key.", nullable=False),
        Column("created_at", TIMESTAMPTZ, MIN, "Time of the first event that described it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of the last event that described it.", nullable=False),
    ),
    primary_key=("uuid",),
    indexes=(
        Index("dataset_schemas_dataset_uuid_index", "(dataset_uuid)", "Removal of a dataset."),
        Index("dataset_schemas_schema_version_index", "(schema_version_uuid)", "Fields of a schema version."),
    ),
)
