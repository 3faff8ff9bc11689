"""retention_restored_events: events that were restored out of an archive, by identity."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, BYTEA, OWNER, Column, Index, OnDelete, Reference, Table

TABLE = Table(
    name="retention_restored_events",
    doc="Events that were restored out of an archive. While the hold that came with them is in force they are held, and"
    " taken in from behind the horizon; no other event is. Only the function that restores writes it.",
    columns=(
        Column("identity", BYTEA, OWNER, "Identity of the event: time, rank and digest.", nullable=False),
        Column(
            "hold",
            BIGINT,
            OWNER,
            "The hold.",
            nullable=False,
            reference=Reference("retention_holds", OnDelete.CASCADE, "id"),
        ),
    ),
    primary_key=("hold", "identity"),
    indexes=(Index("retention_restored_events_identity_index", "(identity)", "Whether an event was restored."),),
)
