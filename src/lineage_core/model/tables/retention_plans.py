"""retention_plans: what was planned to go, so that exactly that can be approved and carried out."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, DEFAULT, JSONB, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="retention_plans",
    doc="Plans of retention: the moment and the cut-offs that hold for whoever carries one out, whatever the policies"
    " say by then.",
    kept=True,
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the plan.", nullable=False, identity=True),
        Column("as_of", TIMESTAMPTZ, PLATFORM, "The time from which ages count.", nullable=False),
        Column("cutoffs", JSONB, PLATFORM, "Before when what goes, of each kind and namespace.", nullable=False),
        Column("written", JSONB, PLATFORM, "The plan as it is written for whoever approves it.", nullable=False),
        Column("planned_by", TEXT, DEFAULT, "Login that planned it.", nullable=False, default="session_user"),
        Column("planned_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("id",),
)
