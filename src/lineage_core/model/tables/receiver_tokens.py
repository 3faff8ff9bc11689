"""receiver_tokens: who may send events over HTTP, and of which namespaces."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    BIGINT,
    BYTEA,
    DATE,
    DEFAULT,
    OWNER,
    TEXT,
    TEXTS,
    TIMESTAMPTZ,
    Column,
    Table,
    Unique,
)

TABLE = Table(
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
