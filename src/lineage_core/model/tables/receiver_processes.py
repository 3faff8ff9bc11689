"""receiver_processes: which processes receive events over HTTP, and when each reported last."""

from __future__ import annotations

from lineage_core.model.vocabulary import INTEGER, OWNER, TEXT, TIMESTAMPTZ, UUID, Column, Table

TABLE = Table(
    name="receiver_processes",
    doc="The processes that receive events over HTTP. Each reports once a minute while it can write.",
    columns=(
        Column("id", UUID, OWNER, "Made anew by each process.", nullable=False),
        Column("host", TEXT, OWNER, "The machine that it runs on.", nullable=False),
        Column("process", INTEGER, OWNER, "Its number there.", nullable=False),
        Column("started_at", TIMESTAMPTZ, OWNER, "When it reported first.", nullable=False),
        Column("reported_at", TIMESTAMPTZ, OWNER, "When it reported last.", nullable=False),
        Column("ended_at", TIMESTAMPTZ, OWNER, "When it ended as it was asked to; null before, and if it was killed."),
    ),
    primary_key=("id",),
    shown_to_operators=True,
)
