"""datasets: every dataset that events named, however they called it."""

from __future__ import annotations

from lineage_core.declare.leaving import ChangesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    DERIVED,
    OPERATOR,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    Unique,
    varchar,
)

TABLE = Table(
    name="datasets",
    doc="Every dataset that events named, however they called it; derived from dataset_names.",
    marquez_rights="UPDATE (is_hidden)",
    columns=(
        Column("uuid", UUID, DERIVED, "Follows from namespace and name.", nullable=False, entity="datasets"),
        Column("type", varchar(64), DERIVED, "Always DB_TABLE, as Marquez has it.", nullable=False),
        Column("created_at", TIMESTAMPTZ, DERIVED, "Time of the first event that named it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, DERIVED, "Time of the last event that named it.", nullable=False),
        Column("namespace_uuid", UUID, DERIVED, "Its namespace, formatted.", reference=Reference("namespaces")),
        Column(
            "source_uuid",
            UUID,
            DERIVED,
            "Where it lies, by the first event that named it.",
            reference=Reference("sources"),
        ),
        Column("name", VARCHAR, DERIVED, "Its own name: the one that no other dataset had before.", nullable=False),
        Column("physical_name", VARCHAR, DERIVED, "Its name in the last event that named it.", nullable=False),
        Column("description", TEXT, DERIVED, "Documentation facet of that event; null if it had none."),
        Column("current_version_uuid", UUID, DERIVED, "Version that readers now read."),
        Column("last_modified_at", TIMESTAMP, DERIVED, "Never set by OpenLineage events."),
        Column("namespace_name", VARCHAR, DERIVED, "Name of its namespace, formatted."),
        Column("source_name", VARCHAR, DERIVED, "Name of its source."),
        Column("is_deleted", BOOLEAN, DERIVED, "Whether the last event that named it dropped it.", default="false"),
        Column("is_hidden", BOOLEAN, OPERATOR, "Left out of lists.", default="false"),
        Column("name_uuid", UUID, DERIVED, "Its own name, as a key.", reference=Reference("dataset_names")),
    ),
    fillfactor=50,
    primary_key=("uuid",),
    unique=(Unique(("namespace_uuid", "name"), "datasets_namespace_uuid_name_key"),),
    indexes=(
        Index("dataset_name_index", "(name, namespace_name)", "A dataset by name, as the API asks.", unique=True),
        Index("datasets_source_uuid_index", "(source_uuid)", "Removal of a source."),
        Index("datasets_name_uuid_index", "(name_uuid)", "A dataset by the key of its own name.", unique=True),
    ),
    stream=TableStream(event_time=("created_at",), without=("name_uuid",)),
    retention=(
        Leaves("leaving_datasets", planned="uuid", judged="old_datasets"),
        Leaves("naming_datasets", kind="naming_datasets", is_deleted=False),
        ChangesWith("naming_datasets", "references/unname_datasets", clears=("dataset_versions",)),
        Keeps("dataset_names", ("name_uuid",)),
    ),
)
