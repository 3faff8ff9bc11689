"""retention_plan_events: the raw events that go by a plan."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, PLATFORM, Column, Reference, Table

TABLE = Table(
    name="retention_plan_events",
    doc="Raw events that go by a plan of retention, by the numbers of their arrival. Forgotten with its keys.",
    columns=(
        Column(
            "plan", BIGINT, PLATFORM, "The plan.", nullable=False, reference=Reference("retention_plans", column="id")
        ),
        Column("first_seq", BIGINT, PLATFORM, "`arrival_seq` of the first of some in a row.", nullable=False),
        Column("last_seq", BIGINT, PLATFORM, "That of the last of them.", nullable=False),
    ),
    primary_key=("plan", "first_seq"),
    checks=("last_seq >= first_seq",),
)
