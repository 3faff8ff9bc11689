"""dataset_schemas: every schema that an event described, with the descriptions and the order of its fields."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import (
    DERIVED,
    JSONB,
    KEY,
    SAME,
    TIMESTAMPTZ,
    UUID,
    UUIDS,
    Column,
    Earliest,
    Index,
    Newest,
    Row,
    Table,
)
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import DatasetMention, Moment

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")


@of_each(DatasetMention)
def rows(dataset: DatasetMention, moment: Moment) -> Iterator[Row]:
    """An event may describe one dataset twice: the later description is the newer, so the order tells the place."""
    schema = described(dataset).schema
    yield {
        "uuid": schema.uuid,
        "name_uuid": described(dataset).dataset_uuid,
        "own_name_uuid": described(dataset).dataset_uuid,
        "schema_version_uuid": schema.version,
        "fields": schema.listed,
        "field_keys": schema.keys,
        "created_at": moment.time,
        "updated_at": moment.time,
        LATEST.order: moment.newest_order + dataset.place.to_bytes(4),
    }


TABLE = Table(
    name="dataset_schemas",
    doc="Every schema that an event described. Fields, schema versions and their mappings follow from it.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the name and the list of fields as it stands.", nullable=False),
        Column(
            "name_uuid",
            UUID,
            SAME,
            "Name under which it describes its dataset.",
            nullable=False,
        ),
        Column(
            "own_name_uuid",
            UUID,
            SAME,
            "The own name of the dataset that it describes: the same, unless that name is a symlink.",
            nullable=False,
        ),
        Column("schema_version_uuid", UUID, SAME, "Schema version with the same names and types.", nullable=False),
        Column("fields", JSONB, SAME, "The fields as dataset_versions.fields has them; null without a list."),
        Column(
            "field_keys",
            UUIDS,
            SAME,
            "The key of each of these fields, which follows from the name; null while `keyed_fields` has them.",
        ),
        Column(
            "keyed_fields",
            JSONB,
            DERIVED,
            "The same fields, each with its key, as an earlier release has written them; null since.",
        ),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of the first event that described it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of the last event that described it.", nullable=False),
    ),
    primary_key=("uuid",),
    indexes=(
        Index("dataset_schemas_own_name_index", "(own_name_uuid)", "All schemas of a dataset."),
        Index("dataset_schemas_schema_version_index", "(schema_version_uuid)", "Fields of a schema version."),
    ),
    retention=(
        Leaves("leaving_dataset_schemas", planned="uuid"),
        Keeps("dataset_fields", ("field_keys", "keyed_fields")),
    ),
)
