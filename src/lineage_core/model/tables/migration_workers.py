"""migration_workers: who works on a long migration, and how fast."""

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
    Type,
)

FLOAT = Type("double precision")

TABLE = Table(
    name="migration_workers",
    doc="Workers of long migrations. One lives as long as its session, which holds an advisory lock of its number.",
    columns=(
        Column("number", BIGINT, DEFAULT, "The worker.", nullable=False, sequence="migration_workers_number_seq"),
        Column(
            "migration",
            TEXT,
            PLATFORM,
            "What it works on.",
            nullable=False,
            reference=Reference("migrations", OnDelete.CASCADE, "name"),
        ),
        Column("host", TEXT, PLATFORM, "Machine that it runs on.", nullable=False),
        Column("started_at", TIMESTAMPTZ, DEFAULT, "When it began.", nullable=False, default="now()"),
        Column("seen_at", TIMESTAMPTZ, DEFAULT, "Its last transaction.", nullable=False, default="now()"),
        Column("batch_rows", BIGINT, PLATFORM, "Rows of its last transaction."),
        Column("batch_seconds", FLOAT, PLATFORM, "What that took."),
        Column("longest_seconds", FLOAT, PLATFORM, "What its longest transaction took."),
        Column("rows_per_second", FLOAT, PLATFORM, "Its rate, waits between transactions included."),
        Column("spread", FLOAT, PLATFORM, "By which part single transactions differ from the rate."),
    ),
    primary_key=("number",),
    indexes=(Index("migration_workers_migration_index", "(migration)", "The workers of a migration."),),
)
