"""Every long migration: which table's keys it goes through, and what else it can do."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.errors import WrongUsage


@dataclass(frozen=True)
class LongMigration:
    """One long migration; its statements stand in `sql/migrate/<name>/`.

    table, key, key_type: whose rows it looks at, by which column. writes: tables that a vacuum must not be at work on.
    switches_readers: whether it ends with a cut-over and a drop.
    """

    name: str
    doc: str
    table: str
    key: str
    key_type: str
    writes: tuple[str, ...]
    switches_readers: bool


SCHEMA_VERSIONS = LongMigration(
    name="schema-versions",
    doc="Every dataset version gets the schema version of the fields that its old mapping holds (seed 000, phase 2).",
    table="dataset_versions",
    key="uuid",
    key_type="uuid",
    writes=("dataset_versions", "dataset_schema_versions", "dataset_schema_versions_field_mapping"),
    switches_readers=True,
)

ALL = {migration.name: migration for migration in (SCHEMA_VERSIONS,)}


def long_migration(name: str) -> LongMigration:
    """Raises WrongUsage if there is none of the name."""
    if name not in ALL:
        raise WrongUsage(f"There is no long migration {name!r}; there are {', '.join(ALL)}")
    return ALL[name]
