"""leases: who may write now."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
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
