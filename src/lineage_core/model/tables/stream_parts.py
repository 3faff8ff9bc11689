"""stream_parts: the files that changelog streams consist of."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    BIGINT,
    BYTEA,
    DEFAULT,
    INTEGER,
    KEY,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Table,
    Type,
    Unique,
)

BIGINTS = Type("bigint[]")

TABLE = Table(
    name="stream_parts",
    doc="The files that changelog streams consist of. Together they have every offset once.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("start_offset", BIGINT, KEY, "Offset of its first record.", nullable=False),
        Column("end_offset", BIGINT, PLATFORM, "Offset of its last record.", nullable=False),
        Column("schema_id", INTEGER, PLATFORM, "Its stream schema.", nullable=False),
        Column("path", TEXT, PLATFORM, "The file, below the root of all streams.", nullable=False),
        Column("bytes", BIGINT, PLATFORM, "Size of the file.", nullable=False),
        Column("sha256", BYTEA, PLATFORM, "Digest of the file.", nullable=False),
        Column("logical_hash", BYTEA, PLATFORM, "Digest of what its records say.", nullable=False),
        Column(
            "commit_ends",
            BIGINTS,
            PLATFORM,
            "Offset of the last record of each transaction that ends in the file.",
            nullable=False,
        ),
        Column(
            "epoch",
            BIGINT,
            PLATFORM,
            "Epoch of the lease under which it was published, or merged of others.",
            nullable=False,
        ),
        Column("published_at", TIMESTAMPTZ, DEFAULT, "When it was added.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "start_offset"),
    unique=(Unique(("path",), "stream_parts_path_key"),),
    checks=("end_offset >= start_offset",),
)
