"""stream_schemas: the columns of changelog streams, each list with its id."""

from __future__ import annotations

from lineage_core.model.vocabulary import DEFAULT, INTEGER, JSONB, KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="stream_schemas",
    doc="The columns of changelog streams, each list with its id. A row is never changed.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("schema_id", INTEGER, KEY, "Number of the schema, from 0.", nullable=False),
        Column("columns", JSONB, PLATFORM, "Name, type and nullability of each column, in order.", nullable=False),
        Column("registered_at", TIMESTAMPTZ, DEFAULT, "When it was first used.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "schema_id"),
)
