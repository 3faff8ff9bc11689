"""dataset_versions: each state of a dataset that a run wrote, a reader met first or an event declared."""

from __future__ import annotations

from lineage_core.declare.leaving import ChangesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    BYTEA,
    DERIVED,
    JSONB,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Index,
    OnDelete,
    Reference,
    Table,
    TableStream,
    Unique,
    unenforced,
    varchar,
)

TABLE = Table(
    name="dataset_versions",
    doc="Each state of a dataset that a run wrote, a reader met first or an event declared.",
    marquez_rights="UPDATE (fields)",  # it writes the tags of a column into the fields of the current version, too
    columns=(
        Column("uuid", UUID, DERIVED, "As version, unless Marquez gave another.", nullable=False),
        Column("created_at", TIMESTAMPTZ, DERIVED, "Time of the first event that made it.", nullable=False),
        Column("dataset_uuid", UUID, DERIVED, "Its dataset.", reference=unenforced("datasets")),
        Column("version", UUID, DERIVED, "Follows from its content, and its run.", nullable=False),
        Column("run_uuid", UUID, DERIVED, "Run that wrote it; null if none did."),
        Column(
            "fields", JSONB, DERIVED, "Its columns, with those within them, as the first event that made it lists them."
        ),
        Column("namespace_name", VARCHAR, DERIVED, "Namespace of the name that the event used, as spelled."),
        Column("dataset_name", VARCHAR, DERIVED, "Name that the event used."),
        Column("lifecycle_state", varchar(63), DERIVED, "Lifecycle facet; empty without one."),
        Column(
            "dataset_schema_version_uuid",
            UUID,
            DERIVED,
            "The schema version with all fields under which it was written or read.",
            reference=Reference("dataset_schema_versions", OnDelete.NO_ACTION),
        ),
        Column(
            "first_event",
            BYTEA,
            DERIVED,
            "Order of the first event that made it, and the place of the mention; null of what Marquez made.",
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
            "(dataset_schema_version_uuid, first_event NULLS FIRST, created_at)",
            "Versions with a schema, the first one first; removal of a schema version.",
        ),
    ),
    stream=TableStream(event_time=("created_at",), without=("first_event",)),
    retention=(
        Leaves("leaving_versions", planned="uuid", judged="old_versions"),
        ChangesWith("runs", "runs/unname_runs", clears=("runs",)),
        Keeps("datasets", ("dataset_uuid",)),
        Keeps("dataset_schema_versions", ("dataset_schema_version_uuid",)),
    ),
)
