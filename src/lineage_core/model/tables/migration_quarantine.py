"""migration_quarantine: rows that a long migration could not work on."""

from __future__ import annotations

from lineage_core.model.vocabulary import KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, OnDelete, Reference, Table

TABLE = Table(
    name="migration_quarantine",
    doc="Single rows that a long migration could not work on, with the error; the rest went on.",
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
        Column("error", TEXT, PLATFORM, "What went wrong.", nullable=False),
        Column("since", TIMESTAMPTZ, PLATFORM, "When it was set aside.", nullable=False, default="now()"),
    ),
    primary_key=("migration", "key"),
)
