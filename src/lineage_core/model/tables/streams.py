"""streams: which changelog streams are on."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, DEFAULT, OPERATOR, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="streams",
    doc="The changelog streams that are on: one that has a row here is captured, and published.",
    open_to_operators=True,
    columns=(
        Column("name", TEXT, OPERATOR, "The stream, named for its table or view.", nullable=False),
        Column("started_by", TEXT, DEFAULT, "Login that started it.", nullable=False, default="session_user"),
        Column("started_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
        Column(
            "started_xid",
            BIGINT,
            DEFAULT,
            "Transaction that started it, which distinguishes one start from another.",
            nullable=False,
            default="(pg_current_xact_id()::text)::bigint",
        ),
    ),
    primary_key=("name",),
)
