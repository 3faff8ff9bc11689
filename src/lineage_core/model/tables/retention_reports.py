"""retention_reports: what each application of retention planned and did."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, DEFAULT, JSONB, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="retention_reports",
    doc="What each application of retention planned, and what it deleted.",
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, identity=True),
        Column("as_of", TIMESTAMPTZ, PLATFORM, "The time from which ages count.", nullable=False),
        Column("plan", JSONB, PLATFORM, "What was to go, and what stays, by reason.", nullable=False),
        Column("archive", TEXT, PLATFORM, "URL of the archive of raw events, without a login; null without one."),
        Column("deleted", JSONB, PLATFORM, "Rows that have gone, for each table.", nullable=False),
        Column("stayed", JSONB, PLATFORM, "What was planned to go and stayed, by reason; null until the end."),
        Column("applied_by", TEXT, DEFAULT, "Login that applied it.", nullable=False, default="session_user"),
        Column("started_at", TIMESTAMPTZ, DEFAULT, "When it began.", nullable=False, default="now()"),
        Column("finished_at", TIMESTAMPTZ, PLATFORM, "When nothing was left to delete; null before."),
    ),
    kept=True,
    primary_key=("id",),
)
