"""The back-fill of seed 001: every raw event that never became rows is taken in, its facets among them."""

from __future__ import annotations

from lineage_core.long_migrations.decisions.settings import MigrationSettings
from lineage_core.long_migrations.declared import LongMigration

MIGRATION = LongMigration(
    name="facets",
    doc="Takes in every raw event that never became rows, its facets among them, while the store is in use: those of an"
    " older store, say, that were only kept.",
    table="lineage_events",
    key="event_time",
    key_type="timestamptz",
    writes=("facets", "facet_sets", "event_ledger", "dataset_mentions"),
    normalizes=True,
    # Each takes the lease of the main job, and merges by itself: that is worth a thousand events, not a hundred.
    settings=MigrationSettings(target_seconds=5.0, start_rows=500, smallest_rows=100, largest_rows=20_000),
)
