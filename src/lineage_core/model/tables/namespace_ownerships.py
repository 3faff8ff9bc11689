"""namespace_ownerships: who owned a namespace from when to when."""

from __future__ import annotations

from lineage_core.declare.vocabulary import (
    OPERATOR,
    TIMESTAMP,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    Unique,
)

TABLE = Table(
    name="namespace_ownerships",
    doc="Who owned a namespace, from when to when; of one owner the last time only.",
    columns=(
        Column("uuid", UUID, OPERATOR, "Identity of the ownership.", nullable=False),
        Column("started_at", TIMESTAMP, OPERATOR, "When it began, in UTC.", nullable=False),
        Column("ended_at", TIMESTAMP, OPERATOR, "When it ended, in UTC; null while it lasts."),
        Column("namespace_uuid", UUID, OPERATOR, "Namespace that is owned.", reference=Reference("namespaces")),
        Column("owner_uuid", UUID, OPERATOR, "Who owns it.", reference=Reference("owners")),
    ),
    primary_key=("uuid",),
    unique=(Unique(("namespace_uuid", "owner_uuid"), "namespace_ownerships_namespace_uuid_owner_uuid_key"),),
    indexes=(Index("namespace_ownerships_owner_uuid_index", "(owner_uuid)", "Removal of an owner."),),
    stream=TableStream(event_time=("started_at",)),
)
