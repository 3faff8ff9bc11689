"""facet_migration_lock: the events whose facets Marquez' migration 57 has copied."""

from __future__ import annotations

from lineage_core.declare.vocabulary import TIMESTAMPTZ, UNFILLED, UUID, Column, Table

TABLE = Table(
    name="facet_migration_lock",
    doc="The events whose facets Marquez' migration 57 has copied. Marquez writes it and never reads it.",
    columns=(
        Column("created_at", TIMESTAMPTZ, UNFILLED, "When the event arrived."),
        Column("run_uuid", UUID, UNFILLED, "Run that the event belongs to; null marks a store that was empty."),
    ),
)
