"""retention_plan_keys: what goes by a plan, one by one."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, INTEGER, PLATFORM, TEXT, UUIDS, Column, Reference, Table

TABLE = Table(
    name="retention_plan_keys",
    doc="What goes by a plan of retention: nothing else may. Forgotten a month after it was planned.",
    columns=(
        Column(
            "plan", BIGINT, PLATFORM, "The plan.", nullable=False, reference=Reference("retention_plans", column="id")
        ),
        Column("kind", TEXT, PLATFORM, "The table from which it goes, or `job_events`.", nullable=False),
        Column("number", INTEGER, PLATFORM, "In order.", nullable=False),
        Column("keys", UUIDS, PLATFORM, "Their uuids; of a job event, the first half of a SHA-256.", nullable=False),
    ),
    primary_key=("plan", "kind", "number"),
)
