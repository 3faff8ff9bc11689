"""dataset_facets: the facets of datasets, a row an event and mention."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.meaning.facet_rows import stored_facets
from lineage_core.model.tables.dataset_mentions import mention_id
from lineage_core.model.vocabulary import (
    BIGINT,
    DERIVED,
    JSONB,
    SAME,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Reference,
    Row,
    Table,
    varchar,
)
from lineage_core.openlineage.events import DatasetMention, Event, Role
from lineage_core.openlineage.facets import DatasetFacetType, dataset_facet_type

_IO_TYPES = {Role.INPUT: DatasetFacetType.INPUT, Role.OUTPUT: DatasetFacetType.OUTPUT}


def rows(event: Event) -> Iterator[Row]:
    for dataset in event.datasets:
        common = {
            "created_at": event.time,
            "dataset_uuid": described(dataset).dataset_uuid,
            "run_uuid": event.run.uuid if event.run else None,
            "lineage_event_time": event.time,
            "lineage_event_type": event.event_type if event.run else None,
            "mention_id": mention_id(event, dataset),
        }
        for type_, name, facet in _typed_facets(dataset):
            yield common | {"type": type_, "name": name, "facet": facet}


def _typed_facets(dataset: DatasetMention) -> Iterator[tuple[str, str, bytes]]:
    for name, facet in stored_facets(dataset.facets):
        yield dataset_facet_type(name).value, name, facet
    for name, facet in stored_facets(dataset.io_facets):
        yield _IO_TYPES[dataset.role].value, name, facet


TABLE = Table(
    name="dataset_facets",
    doc="The facets of datasets, a row an event and mention.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column("created_at", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("dataset_uuid", UUID, SAME, "The dataset.", reference=Reference("datasets"), entity="datasets"),
        Column(
            "dataset_version_uuid",
            UUID,
            DERIVED,
            "The version that was written, or read.",
            reference=Reference("dataset_versions"),
        ),
        Column("run_uuid", UUID, SAME, "The run; null for job and dataset events.", reference=Reference("runs")),
        Column("lineage_event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("lineage_event_type", varchar(64), SAME, "Type of the event; null for job and dataset events."),
        Column("type", varchar(64), SAME, "DATASET, INPUT, OUTPUT or UNKNOWN.", nullable=False),
        Column("name", varchar(255), SAME, "The facet's key.", nullable=False),
        Column("facet", JSONB, SAME, "An object with that key and the facet as it came.", nullable=False),
        Column("mention_id", BIGINT, SAME, "The mention that brought it, as in dataset_mentions."),
    ),
    indexes=(
        Index("dataset_facets_dataset_uuid_index", "(dataset_uuid)", "Facets of a dataset."),
        Index("dataset_facets_dataset_version_uuid_index", "(dataset_version_uuid)", "Facets of a version."),
        Index("dataset_facets_run_uuid_index", "(run_uuid)", "Facets that a run gave its datasets."),
    ),
)
