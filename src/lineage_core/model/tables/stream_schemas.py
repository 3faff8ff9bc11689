"""stream_schemas: the schemas that the data of each changelog stream has had."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    DEFAULT,
    INTEGER,
    JSONB,
    KEY,
    PLATFORM,
    TEXT,
    TEXTS,
    TIMESTAMPTZ,
    Column,
    Table,
)

TABLE = Table(
    name="stream_schemas",
    doc="The schemas that the data of each changelog stream has had, in their order. A row is never changed.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("schema_id", INTEGER, KEY, "Number of the schema, from 0 without a gap.", nullable=False),
        Column(
            "migration_type",
            JSONB,
            PLATFORM,
            "Name, type and nullability of each data column, in order, also of each that was ever deleted.",
            nullable=False,
        ),
        Column("key", TEXTS, PLATFORM, "The data columns that name a row; empty if none do.", nullable=False),
        Column("registered_at", TIMESTAMPTZ, DEFAULT, "When it became the latest.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "schema_id"),
    checks=("schema_id >= 0",),
    shown_to_operators=True,
)
