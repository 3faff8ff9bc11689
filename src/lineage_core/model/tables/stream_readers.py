"""stream_readers: who reads a stream, and which of its columns."""

from __future__ import annotations

from lineage_core.model.vocabulary import DEFAULT, INTEGER, OPERATOR, TEXT, TEXTS, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="stream_readers",
    doc="Who reads a changelog stream, and which of its columns.",
    columns=(
        Column("stream", TEXT, OPERATOR, "The stream.", nullable=False),
        Column("reader", TEXT, OPERATOR, "The reader, by any name that its owner is found by.", nullable=False),
        Column("schema_id", INTEGER, OPERATOR, "The schema that it was written for.", nullable=False),
        Column(
            "columns",
            TEXTS,
            OPERATOR,
            "What it reads, with dots before fields of structs: `address.city`. Null is every column of that schema.",
        ),
        Column("registered_by", TEXT, DEFAULT, "Login that registered it.", nullable=False, default="session_user"),
        Column("registered_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "reader"),
    open_to_operators=True,
)
