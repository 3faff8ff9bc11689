"""retention_purged_runs: which runs retention has deleted lately, so that those are known which speak again."""

from __future__ import annotations

from lineage_core.model.leaving import ChangesWith, Leaves
from lineage_core.model.vocabulary import KEY, PLATFORM, TIMESTAMPTZ, UUID, Column, Table

TABLE = Table(
    name="retention_purged_runs",
    doc="Runs that retention has deleted lately. One that speaks again begins anew, and is named in the report.",
    columns=(
        Column("uuid", UUID, KEY, "The run.", nullable=False),
        Column("purged_at", TIMESTAMPTZ, PLATFORM, "When it was deleted.", nullable=False),
    ),
    primary_key=("uuid",),
    retention=(
        Leaves("leaving_purged_runs"),
        ChangesWith("runs", "runs/keep_purged_runs"),
    ),
)
