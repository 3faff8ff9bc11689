"""stream_checkpoints: where a reader of a changelog stream may begin instead of at its first record."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    BIGINT,
    BOOLEAN,
    BYTEA,
    DEFAULT,
    INTEGER,
    KEY,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Table,
    Unique,
)

TABLE = Table(
    name="stream_checkpoints",
    doc="The last checkpoint of each changelog stream: a file with the rows that are there at an offset.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("next_offset", BIGINT, PLATFORM, "Offset of the first record that is not in it.", nullable=False),
        Column("schema_id", INTEGER, PLATFORM, "Its stream schema.", nullable=False),
        Column("path", TEXT, PLATFORM, "The file, below the root of all streams.", nullable=False),
        Column("rows", BIGINT, PLATFORM, "How many rows are there.", nullable=False),
        Column("bytes", BIGINT, PLATFORM, "Size of the file.", nullable=False),
        Column("sha256", BYTEA, PLATFORM, "Digest of the file.", nullable=False),
        Column(
            "is_ordered",
            BOOLEAN,
            PLATFORM,
            "Whether its rows are in the order of the key; without a key, in that of all columns. Lists have no order.",
            nullable=False,
        ),
        Column(
            "reordered_by",
            INTEGER,
            PLATFORM,
            "The last stream schema by which rows were no longer in that order; null if there never was one.",
        ),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was made.", nullable=False),
        Column("made_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("stream",),
    unique=(Unique(("path",), "stream_checkpoints_path_key"),),
)
