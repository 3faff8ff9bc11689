"""receiver_hours: what became of the documents that came over HTTP, for each hour."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, OWNER, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="receiver_hours",
    doc="What became of the documents that came over HTTP, for each hour of the last month.",
    columns=(
        Column("hour", TIMESTAMPTZ, OWNER, "Its beginning.", nullable=False),
        Column(
            "outcome",
            TEXT,
            OWNER,
            "`accepted`, `spooled`, or the HTTP status with which they were refused.",
            nullable=False,
        ),
        Column(
            "documents",
            BIGINT,
            OWNER,
            "How many. A request that was refused before it was read is one.",
            nullable=False,
        ),
        Column("requests", BIGINT, OWNER, "How many requests they came in.", nullable=False),
        Column("microseconds", BIGINT, OWNER, "How long these requests took, all together.", nullable=False),
        Column("longest", BIGINT, OWNER, "Microseconds that the slowest of them took.", nullable=False),
    ),
    primary_key=("hour", "outcome"),
    shown_to_operators=True,
)
