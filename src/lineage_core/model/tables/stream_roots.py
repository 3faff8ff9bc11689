"""stream_roots: the folder or bucket below which the changelog streams of this database are."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, KEY, PLATFORM, TEXT, TIMESTAMPTZ, UUID, Column, Table

TABLE = Table(
    name="stream_roots",
    doc="Below which root the changelog streams of this database are: one row, once a stream was published.",
    columns=(
        Column("name", TEXT, KEY, "`streams`.", nullable=False),
        Column("root_id", UUID, PLATFORM, "Id of the root, which its `publisher.json` has, too.", nullable=False),
        Column("url", TEXT, PLATFORM, "Where it was when it was last written to, for people.", nullable=False),
        Column("publication", BIGINT, PLATFORM, "Transaction in which the last publication began."),
        Column("updated_at", TIMESTAMPTZ, PLATFORM, "When it was last written.", nullable=False, default="now()"),
    ),
    primary_key=("name",),
)
