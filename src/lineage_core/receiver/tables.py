"""The tables of the receiver: its tokens, and what its processes report."""

from __future__ import annotations

from lineage_core.declare.vocabulary import (
    BIGINT,
    BYTEA,
    DATE,
    DEFAULT,
    INTEGER,
    OWNER,
    TEXT,
    TEXTS,
    TIMESTAMPTZ,
    UUID,
    Column,
    Table,
    Unique,
)

RECEIVER_TOKENS = Table(
    name="receiver_tokens",
    doc="The tokens with which producers send events to the receiver. Of each only a digest is kept.",
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the token.", nullable=False, identity=True),
        Column("name", TEXT, OWNER, "What people call it.", nullable=False),
        Column("digest", BYTEA, OWNER, "SHA-256 of the token, which has 256 random bits.", nullable=False),
        Column(
            "namespaces",
            TEXTS,
            OWNER,
            "Patterns of the namespaces that it may write; * is any characters.",
            nullable=False,
        ),
        Column("expires_at", TIMESTAMPTZ, OWNER, "When it ends by itself; null is never."),
        Column("created_by", TEXT, DEFAULT, "Login that made it.", nullable=False, default="session_user"),
        Column("created_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
        Column("revoked_at", TIMESTAMPTZ, OWNER, "When it was revoked; null while it is not."),
        Column("last_used_on", DATE, OWNER, "The last day, in UTC, on which it was used; null before its first use."),
    ),
    primary_key=("id",),
    shown_to_operators=True,
    unique=(Unique(("name",), "receiver_tokens_name_key"), Unique(("digest",), "receiver_tokens_digest_key")),
    checks=("btrim(name) <> ''", "octet_length(digest) = 32", "cardinality(namespaces) > 0"),
)

RECEIVER_PROCESSES = Table(
    name="receiver_processes",
    doc="The processes that receive events over HTTP. Each reports once a minute while it can write.",
    columns=(
        Column("id", UUID, OWNER, "Made anew by each process.", nullable=False),
        Column("host", TEXT, OWNER, "The machine that it runs on.", nullable=False),
        Column("process", INTEGER, OWNER, "Its number there.", nullable=False),
        Column("started_at", TIMESTAMPTZ, OWNER, "When it reported first.", nullable=False),
        Column("reported_at", TIMESTAMPTZ, OWNER, "When it reported last.", nullable=False),
        Column("ended_at", TIMESTAMPTZ, OWNER, "When it ended as it was asked to; null before, and if it was killed."),
    ),
    primary_key=("id",),
    shown_to_operators=True,
)

RECEIVER_HOURS = Table(
    name="receiver_hours",
    doc="What became of the documents that came over HTTP, for each hour of the last month.",
    columns=(
        Column("hour", TIMESTAMPTZ, OWNER, "Its beginning.", nullable=False),
        Column(
            "outcome",
            TEXT,
            OWNER,
            "`accepted`, `spooled`, or the HTTP status with which they were refused.",
            nullable=False,
        ),
        Column(
            "documents",
            BIGINT,
            OWNER,
            "How many. A request that was refused before it was read is one.",
            nullable=False,
        ),
        Column("requests", BIGINT, OWNER, "How many requests they came in.", nullable=False),
        Column("microseconds", BIGINT, OWNER, "How long these requests took, all together.", nullable=False),
        Column("longest", BIGINT, OWNER, "Microseconds that the slowest of them took.", nullable=False),
    ),
    primary_key=("hour", "outcome"),
    shown_to_operators=True,
)
