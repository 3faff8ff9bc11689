"""What every store has: who may write now, and which roles are its own."""

from __future__ import annotations

from lineage_core.declare.vocabulary import BIGINT, KEY, OWNER, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

LEASES = Table(
    name="leases",
    doc="Who may write now. Each new holder raises the epoch, and a write with an older epoch is refused.",
    columns=(
        Column("name", TEXT, KEY, "What is leased.", nullable=False),
        Column("epoch", BIGINT, PLATFORM, "How often it has been taken; the fence.", nullable=False),
        Column("holder", TEXT, PLATFORM, "Who has it; null while it is free."),
        Column(
            "presence",
            BIGINT,
            PLATFORM,
            "Key of the advisory lock that the holder's session keeps, drawn at random: none can hold it before.",
        ),
        Column("expires_at", TIMESTAMPTZ, PLATFORM, "From when another may take it; null while it is free."),
    ),
    primary_key=("name",),
)

GROUP_ROLES = Table(
    name="group_roles",
    doc="The group roles of this store. Roles are of the whole cluster, so two stores in it need names of their own.",
    columns=(
        Column("purpose", TEXT, OWNER, "What it is for: ingest, jobs, marquez, operator or reader.", nullable=False),
        Column("name", TEXT, OWNER, "The role.", nullable=False),
    ),
    primary_key=("purpose",),
)
