"""dataset_ownerships: who owns a dataset, by its ownership facet."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    DERIVED,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
)

TABLE = Table(
    name="dataset_ownerships",
    doc="Who owns a dataset: all that the last ownership facet of the dataset says.",
    columns=(
        Column(
            "dataset_uuid", UUID, DERIVED, "Dataset that is owned.", nullable=False, reference=Reference("datasets")
        ),
        Column("owner_uuid", UUID, DERIVED, "Who owns it.", nullable=False, reference=Reference("owners")),
        Column("type", VARCHAR, DERIVED, "What kind of owner, such as MAINTAINER; empty if not given.", nullable=False),
        Column("reported_at", TIMESTAMPTZ, DERIVED, "Time of the event that says so.", nullable=False),
    ),
    primary_key=("dataset_uuid", "owner_uuid", "type"),
    indexes=(Index("dataset_ownerships_owner_uuid_index", "(owner_uuid)", "What somebody owns; removal of an owner."),),
    stream=TableStream(event_time=("reported_at",)),
    retention=(GoesWith("datasets", "dataset_uuid"),),
)
