"""datasets: every dataset that an event named."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.dataset_descriptions import described_source, lifecycle_state, mentioned_dataset
from lineage_core.events import DatasetMention, Event
from lineage_core.facets.documentation import FACET as DOCUMENTATION
from lineage_core.identity import namespace_uuid, source_uuid
from lineage_core.relation import (
    BOOLEAN,
    DERIVED,
    KEY,
    MIN,
    OPERATOR,
    SAME,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Index,
    Newest,
    Reference,
    Row,
    Table,
    Unique,
    varchar,
)

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")


def rows(event: Event) -> Iterator[Row]:
    for dataset in event.datasets:
        source = described_source(dataset).name
        yield {
            "uuid": mentioned_dataset(dataset),
            "type": "DB_TABLE",
            "created_at": event.time,
            "updated_at": event.time,
            "namespace_uuid": namespace_uuid(dataset.formatted),
            "source_uuid": source_uuid(source),
            "name": dataset.name,
            "physical_name": dataset.name,
            "description": _description(dataset),
            "namespace_name": dataset.formatted,
            "source_name": source,
            "is_deleted": lifecycle_state(dataset).upper() == "DROP",
        }


def _description(dataset: DatasetMention) -> str | None:
    facet = DOCUMENTATION.read(dataset.facets, f"{dataset.path}.facets")
    return facet.description if facet else None


TABLE = Table(
    name="datasets",
    doc="Every dataset that an event named.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from namespace and name.", nullable=False, entity="datasets"),
        Column("type", varchar(64), SAME, "Always DB_TABLE, as Marquez has it.", nullable=False),
        Column("created_at", TIMESTAMPTZ, MIN, "Time of the first event that named it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of the last event that named it.", nullable=False),
        Column(
            "namespace_uuid",
            UUID,
            SAME,
            "Its namespace, formatted.",
            reference=Reference("namespaces"),
            entity="namespaces",
        ),
        Column(
            "source_uuid",
            UUID,
            FIRST,
            "Where it lies, by the first event that named it.",
            reference=Reference("sources"),
            entity="sources",
        ),
        Column("name", VARCHAR, SAME, "Its name.", nullable=False),
        Column("physical_name", VARCHAR, LATEST, "Its name in the last event that named it.", nullable=False),
        Column("description", TEXT, LATEST, "Documentation facet of that event; null if it had none."),
        Column("current_version_uuid", UUID, DERIVED, "Version that readers now read."),
        Column("last_modified_at", TIMESTAMP, DERIVED, "Never set by OpenLineage events."),
        Column("namespace_name", VARCHAR, SAME, "Name of its namespace, formatted."),
        Column("source_name", VARCHAR, FIRST, "Name of its source."),
        Column("is_deleted", BOOLEAN, LATEST, "Whether the last event that named it dropped it.", default="false"),
        Column("is_hidden", BOOLEAN, OPERATOR, "Left out of lists.", default="false"),
    ),
    primary_key=("uuid",),
    unique=(Unique(("namespace_uuid", "name"), "datasets_namespace_uuid_name_key"),),
    indexes=(
        Index("dataset_name_index", "(name, namespace_name)", "A dataset by name, as the API asks.", unique=True),
        Index("datasets_source_uuid_index", "(source_uuid)", "Removal of a source."),
    ),
)
