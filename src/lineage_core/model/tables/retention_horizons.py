"""retention_horizons: up to which time retention has deleted, so that nothing of before comes back."""

from __future__ import annotations

from lineage_core.model.vocabulary import KEY, PLATFORM, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="retention_horizons",
    doc="Up to which time retention has deleted. An event of before that the ledger does not hold is expired: it is"
    " counted, and never merged.",
    columns=(
        Column("kind", TEXT, KEY, "What was deleted: runs, or versions of datasets.", nullable=False),
        Column("namespace", TEXT, KEY, "The namespace, formatted: of the job, or of the dataset.", nullable=False),
        Column("before", TIMESTAMPTZ, PLATFORM, "The time. It never moves back.", nullable=False),
    ),
    kept=True,
    primary_key=("kind", "namespace"),
    checks=("kind IN ('runs', 'versions')",),
)
