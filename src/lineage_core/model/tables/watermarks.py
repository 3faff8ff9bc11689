"""watermarks: what each consumer of lineage_events has done."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, KEY, PLATFORM, TEXT, TEXTS, TIMESTAMPTZ, Column, Table, Type

SNAPSHOT = Type("pg_snapshot")

TABLE = Table(
    name="watermarks",
    doc="What each consumer of lineage_events has done: all that `done` sees, and of `target` all before the cursor.",
    columns=(
        Column("name", TEXT, KEY, "The consumer.", nullable=False),
        Column(
            "system_identifier",
            BIGINT,
            PLATFORM,
            "Cluster that the snapshots were taken in; in any other they mean nothing.",
            nullable=False,
        ),
        Column("done", SNAPSHOT, PLATFORM, "Every event that this snapshot sees is done.", nullable=False),
        Column("target", SNAPSHOT, PLATFORM, "Snapshot that is being worked off; null between two runs."),
        Column("cursor_xid", BIGINT, PLATFORM, "Transaction of the last event done of the target."),
        Column("cursor_seq", BIGINT, PLATFORM, "Place in its transaction of the last event done of the target."),
        Column(
            "partitions",
            TEXTS,
            PLATFORM,
            "Partitions that were looked through for arrival numbers of elsewhere, each as it was attached then.",
            nullable=False,
        ),
        Column("updated_at", TIMESTAMPTZ, PLATFORM, "When it was last moved.", nullable=False, default="now()"),
    ),
    primary_key=("name",),
)
