"""retention_hold_releases: the ends of legal holds."""

from __future__ import annotations

from lineage_core.model.vocabulary import (
    BIGINT,
    DEFAULT,
    OPERATOR,
    TEXT,
    TIMESTAMPTZ,
    Column,
    OnDelete,
    Reference,
    Table,
)

TABLE = Table(
    name="retention_hold_releases",
    doc="Legal holds that somebody has ended. A row is never changed: who wants the hold again places another.",
    append_only=True,
    columns=(
        Column(
            "hold",
            BIGINT,
            OPERATOR,
            "The hold.",
            nullable=False,
            reference=Reference("retention_holds", OnDelete.NO_ACTION, "id"),
        ),
        Column("why", TEXT, OPERATOR, "Why it is held no more.", nullable=False),
        Column("released_by", TEXT, DEFAULT, "Login that released it.", nullable=False, default="session_user"),
        Column("released_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("hold",),
    checks=("btrim(why) <> ''",),
)
