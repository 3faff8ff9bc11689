"""Every long migration: which table's keys it goes through, and what else it can do."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.errors import WrongUsage
from lineage_core.plans.migration_settings import DEFAULTS, Settings


@dataclass(frozen=True)
class CostlyIndexes:
    """Indexes that have the column which a migration updates, so that each update writes to all indexes of its row.

    waiting: the condition of rows that the migration is sure to update; for a few it is not worth building them anew.
    """

    indexes: tuple[str, ...]
    waiting: str


@dataclass(frozen=True)
class LongMigration:
    """One long migration; its statements stand in `sql/migrate/<name>/`.

    table, key, key_type: whose rows it looks at, by which column; rows with one key are done together. writes: tables
    that a vacuum must not be at work on. switches_readers: whether it ends with a cut-over and a drop. normalizes:
    whether its rows are raw events, which the main job's own code takes in. costly: declared indexes of the table that
    are set aside while it runs. settings: those that it begins with.
    """

    name: str
    doc: str
    table: str
    key: str
    key_type: str
    writes: tuple[str, ...]
    switches_readers: bool = False
    normalizes: bool = False
    costly: CostlyIndexes | None = None
    settings: Settings = DEFAULTS


SCHEMA_VERSIONS = LongMigration(
    name="schema-versions",
    doc="Every dataset version gets the schema version of the fields that its old mapping holds (seed 000, phase 2).",
    table="dataset_versions",
    key="uuid",
    key_type="uuid",
    writes=("dataset_versions", "dataset_schema_versions", "dataset_schema_versions_field_mapping"),
    switches_readers=True,
    costly=CostlyIndexes(("dataset_versions_schema_version_index",), "dataset_schema_version_uuid IS NULL"),
)

FACETS = LongMigration(
    name="facets",
    doc="Every raw event that never became rows, its facets among them, is taken in (seed 001).",
    table="lineage_events",
    key="event_time",
    key_type="timestamptz",
    writes=("run_facets", "job_facets", "dataset_facets"),
    normalizes=True,
    # Each takes the lease of the main job, and merges by itself: that is worth a thousand events, not a hundred.
    settings=Settings(target_seconds=5.0, start_rows=500, smallest_rows=100, largest_rows=20_000),
)

ALL = {migration.name: migration for migration in (SCHEMA_VERSIONS, FACETS)}


def long_migration(name: str) -> LongMigration:
    """Raises WrongUsage if there is none of the name."""
    if name not in ALL:
        raise WrongUsage(f"There is no long migration {name!r}; there are {', '.join(ALL)}")
    return ALL[name]
