"""stream_heads: how far each changelog stream is published."""

from __future__ import annotations

from lineage_core.model.tables.watermarks import SNAPSHOT
from lineage_core.model.vocabulary import BIGINT, INTEGER, KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="stream_heads",
    doc="How far each changelog stream is published. It stays when a stream is stopped.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("started_xid", BIGINT, PLATFORM, "The start that `published` belongs to.", nullable=False),
        Column(
            "waits_for",
            BIGINT,
            PLATFORM,
            "Transactions below this number may have missed that start. What is there is read when all have ended.",
            nullable=False,
        ),
        Column("published", SNAPSHOT, PLATFORM, "All changes that it sees are published; null before the first time."),
        Column(
            "system_identifier",
            BIGINT,
            PLATFORM,
            "Cluster that the snapshot was taken in; in any other it means nothing.",
            nullable=False,
        ),
        Column("next_offset", BIGINT, PLATFORM, "Offset of the next record.", nullable=False, default="0"),
        Column("schema_id", INTEGER, PLATFORM, "Its stream schema, a row of `stream_schemas`.", nullable=False),
        Column("system_time", TIMESTAMPTZ, PLATFORM, "System time of the last record; null before the first one."),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was moved.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, PLATFORM, "When it was last moved.", nullable=False, default="now()"),
    ),
    primary_key=("stream",),
)
