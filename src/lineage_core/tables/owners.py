"""owners: people and teams that own namespaces."""

from __future__ import annotations

from lineage_core.relation import OPERATOR, TIMESTAMP, UUID, Column, Table, Unique, varchar

TABLE = Table(
    name="owners",
    doc="People and teams that own namespaces.",
    columns=(
        Column("uuid", UUID, OPERATOR, "Identity of the owner.", nullable=False),
        Column("created_at", TIMESTAMP, OPERATOR, "When the owner was first named, in UTC.", nullable=False),
        Column("name", varchar(64), OPERATOR, "Name of the person or team.", nullable=False),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "owners_name_key"),),
)
