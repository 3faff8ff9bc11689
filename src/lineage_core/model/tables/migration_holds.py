"""migration_holds: when long migrations had to wait, and why."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    BIGINT,
    DEFAULT,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Index,
    OnDelete,
    Reference,
    Table,
)

TABLE = Table(
    name="migration_holds",
    doc="Waits of long migrations because of the server's health. While one is open, no worker begins a transaction.",
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, sequence="migration_holds_id_seq"),
        Column(
            "migration",
            TEXT,
            PLATFORM,
            "The migration.",
            nullable=False,
            reference=Reference("migrations", OnDelete.CASCADE, "name"),
        ),
        Column("signal", TEXT, PLATFORM, "What was too much.", nullable=False),
        Column("detail", TEXT, PLATFORM, "What the server showed.", nullable=False),
        Column("since", TIMESTAMPTZ, PLATFORM, "When it began.", nullable=False),
        Column("until", TIMESTAMPTZ, PLATFORM, "When the server is looked at again.", nullable=False),
        Column("ended_at", TIMESTAMPTZ, PLATFORM, "When it was over; null while it lasts."),
    ),
    primary_key=("id",),
    indexes=(
        Index("migration_holds_migration_index", "(migration)", "Removal of a migration."),
        Index(
            "migration_holds_open_index",
            "(migration, signal)",
            "What holds a migration now; one hold for each signal.",
            unique=True,
            where="ended_at IS NULL",
        ),
    ),
)
