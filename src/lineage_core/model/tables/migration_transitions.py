"""migration_transitions: what happened to a long migration and its ranges."""

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
    name="migration_transitions",
    doc="What happened to long migrations and to their ranges: each change of state, each failure with its error.",
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, sequence="migration_transitions_id_seq"),
        Column(
            "migration",
            TEXT,
            PLATFORM,
            "The migration.",
            nullable=False,
            reference=Reference("migrations", OnDelete.CASCADE, "name"),
        ),
        Column("range_id", BIGINT, PLATFORM, "The range, null if the migration as a whole is meant."),
        Column(
            "event",
            TEXT,
            PLATFORM,
            "The new state, or failed, split, quarantined, accepted, interrupted.",
            nullable=False,
        ),
        Column("detail", TEXT, PLATFORM, "The error, or who did it."),
        Column("happened_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="clock_timestamp()"),
    ),
    primary_key=("id",),
    indexes=(Index("migration_transitions_migration_index", "(migration, id)", "The history of a migration."),),
)
