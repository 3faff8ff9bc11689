"""The tables of what was no event, and of what somebody has discarded of that."""

from __future__ import annotations

from lineage_core.declare.leaving import Leaves
from lineage_core.declare.vocabulary import (
    BIGINT,
    BYTEA,
    DEFAULT,
    INGESTED,
    KEY,
    OWNER,
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

DISCARDED_DOCUMENTS = Table(
    name="discarded_documents",
    doc="Documents that somebody has taken out of quarantine for good, without their text. One that comes again is not"
    " kept.",
    columns=(
        Column("digest", BYTEA, OWNER, "SHA-256 of the raw bytes.", nullable=False),
        Column("document", BIGINT, OWNER, "The number that it had in quarantine.", nullable=False),
        Column("reason", TEXT, OWNER, "What was wrong with it.", nullable=False),
        Column("path", TEXT, OWNER, "JSON path of the fault.", nullable=False),
        Column("source", TEXT, OWNER, "Where it came from.", nullable=False),
        Column("bytes", BIGINT, OWNER, "How many it had.", nullable=False),
        Column("received_at", TIMESTAMPTZ, OWNER, "When it was put into quarantine.", nullable=False),
        Column("why", TEXT, OWNER, "Why it is not needed.", nullable=False),
        Column("discarded_by", TEXT, DEFAULT, "Login that discarded it.", nullable=False, default="session_user"),
        Column("discarded_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("digest",),
    shown_to_operators=True,
    checks=("btrim(why) <> ''",),
)
