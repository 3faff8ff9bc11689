"""refreshed_views: since when each materialized view is as it is."""

from __future__ import annotations

from lineage_core.model.vocabulary import OWNER, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="refreshed_views",
    doc="When each materialized view was refreshed. Normalization refreshes those that are older than an hour.",
    columns=(
        Column("name", TEXT, OWNER, "The view.", nullable=False),
        Column("refreshed_at", TIMESTAMPTZ, OWNER, "When it was refreshed.", nullable=False),
    ),
    primary_key=("name",),
)
