"""hold_queries: what may hold a long migration besides the server's health."""

from __future__ import annotations

from lineage_core.model.vocabulary import OWNER, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="hold_queries",
    doc="Queries whose one value, true or above 0, holds a long migration. Whoever steers one chooses among these.",
    columns=(
        Column("name", TEXT, OWNER, "Its name, by which a migration's setting refers to it.", nullable=False),
        Column("query", TEXT, OWNER, "One SELECT, run as a role that only reads.", nullable=False),
        Column("stored_by", TEXT, OWNER, "Login that stored it.", nullable=False, default="session_user"),
        Column("stored_at", TIMESTAMPTZ, OWNER, "When it was stored.", nullable=False, default="now()"),
    ),
    primary_key=("name",),
)
