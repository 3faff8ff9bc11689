"""dataset_versions: each state of a dataset that a run wrote, a reader met first or an event declared."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.dataset_descriptions import lifecycle_state, mentioned_dataset, mentioned_version
from lineage_core.events import Event
from lineage_core.relation import (
    DERIVED,
    JSONB,
    KEY,
    SAME,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Index,
    OnDelete,
    Reference,
    Row,
    Table,
    Unique,
    varchar,
)


def rows(event: Event) -> Iterator[Row]:
    """Of an input, the version that it makes if it turns out to be the first to know the dataset."""
    for dataset in event.datasets:
        version = mentioned_version(event, dataset)
        yield {
            "uuid": version,
            "dataset_uuid": mentioned_dataset(dataset),
            "version": version,
            "namespace_name": dataset.namespace,
            "dataset_name": dataset.name,
            "lifecycle_state": lifecycle_state(dataset),
        }


TABLE = Table(
    name="dataset_versions",
    doc="Each state of a dataset that a run wrote, a reader met first or an event declared.",
    rows=rows,
    by_hand=True,
    columns=(
        Column(
            "uuid", UUID, KEY, "As version, unless Marquez gave another.", nullable=False, entity="dataset_versions"
        ),
        Column("created_at", TIMESTAMPTZ, DERIVED, "Time of the first event that made it.", nullable=False),
        Column("dataset_uuid", UUID, SAME, "Its dataset.", reference=Reference("datasets"), entity="datasets"),
        Column("version", UUID, SAME, "Follows from its content, and its run.", nullable=False),
        Column("run_uuid", UUID, DERIVED, "Run that wrote it; null if none did."),
        Column("fields", JSONB, DERIVED, "Its columns, as the first event that made it lists them."),
        Column("namespace_name", VARCHAR, SAME, "Namespace of the dataset, as spelled."),
        Column("dataset_name", VARCHAR, SAME, "Name of the dataset in that event."),
        Column("lifecycle_state", varchar(63), SAME, "Lifecycle facet; empty without one."),
        Column(
            "dataset_schema_version_uuid",
            UUID,
            DERIVED,
            "Its schema version.",
            reference=Reference("dataset_schema_versions", OnDelete.NO_ACTION),
        ),
    ),
    primary_key=("uuid",),
    unique=(Unique(("version",), "dataset_versions_version"),),
    indexes=(
        Index(
            "dataset_versions_name",
            "(dataset_name, namespace_name, created_at DESC)",
            "Versions of a dataset, newest first, as the API lists them.",
        ),
        Index("dataset_versions_run_uuid", "(run_uuid)", "What a run wrote."),
        Index("datasetversion_datasetid_idx", "(dataset_uuid)", "All versions of a dataset."),
        Index(
            "dataset_versions_schema_version_index",
            "(dataset_schema_version_uuid, created_at)",
            "Versions with a schema, the first one first; removal of a schema version.",
        ),
    ),
)
