"""archived_event_months: months of which retention has deleted raw events. Others that are missing are lost."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, KEY, OWNER, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="archived_event_months",
    doc="Months of which retention has deleted archived raw events. Only the functions that delete them write it.",
    columns=(
        Column("month", TIMESTAMPTZ, KEY, "First instant of the month of event time, in UTC.", nullable=False),
        Column("events", BIGINT, OWNER, "Raw events that were deleted, ever.", nullable=False),
        Column("last_at", TIMESTAMPTZ, OWNER, "When the last ones were.", nullable=False, default="now()"),
    ),
    primary_key=("month",),
)
