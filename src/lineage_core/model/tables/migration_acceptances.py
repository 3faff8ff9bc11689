"""migration_acceptances: rows that a long migration may leave as they are, by whose word."""

from __future__ import annotations

from lineage_core.model.vocabulary import KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, OnDelete, Reference, Table

TABLE = Table(
    name="migration_acceptances",
    doc="Rows that a long migration cannot work on, and that somebody has accepted as they are. That counts while the"
    " row is in migration_quarantine with the same error.",
    columns=(
        Column(
            "migration",
            TEXT,
            KEY,
            "The migration.",
            nullable=False,
            reference=Reference("migrations", OnDelete.CASCADE, "name"),
        ),
        Column("key", TEXT, KEY, "Key of the row.", nullable=False),
        Column("error", TEXT, PLATFORM, "What was wrong with the row then.", nullable=False),
        Column("why", TEXT, PLATFORM, "Why it may stay so, in the words of who accepted it.", nullable=False),
        Column("accepted_by", TEXT, PLATFORM, "Login that accepted it.", nullable=False, default="session_user"),
        Column("accepted_from", TEXT, PLATFORM, "User of the machine from which that was done, and the machine."),
        Column("accepted_at", TIMESTAMPTZ, PLATFORM, "When.", nullable=False, default="now()"),
    ),
    primary_key=("migration", "key"),
)
