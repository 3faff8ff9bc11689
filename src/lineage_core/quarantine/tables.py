"""The table of what was no event."""

from __future__ import annotations

from lineage_core.declare.leaving import Leaves
from lineage_core.declare.vocabulary import (
    BIGINT,
    BYTEA,
    DEFAULT,
    INGESTED,
    KEY,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Table,
    Unique,
)
from lineage_core.openlineage.json_limits import LONGEST_DOCUMENT

QUARANTINE = Table(
    name="quarantine",
    doc="Documents that could not become rows, whole, with the reason and the place of the fault.",
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the document.", nullable=False, identity=True),
        Column(
            "digest",
            BYTEA,
            KEY,
            "SHA-256 of the raw bytes: the same document is kept once.",
            nullable=False,
            generated="sha256(raw)",
        ),
        Column("reason", TEXT, INGESTED, "What is wrong with it.", nullable=False),
        Column("path", TEXT, INGESTED, "JSON path of the fault; `$` is the whole document.", nullable=False),
        Column("raw", BYTEA, INGESTED, "The document, byte for byte.", nullable=False),
        Column("source", TEXT, INGESTED, "Where it came from: a file, an address, or lineage_events.", nullable=False),
        Column("received_at", TIMESTAMPTZ, DEFAULT, "When it was put here.", nullable=False, default="now()"),
    ),
    primary_key=("id",),
    unique=(Unique(("digest",), "quarantine_digest_key"),),
    checks=(f"octet_length(raw) <= {LONGEST_DOCUMENT}",),
    retention=(Leaves("leaving_quarantine", key="id"),),
)
