"""How far long migrations are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.long_migrations.store import records
from lineage_core.status_topic import AskedStore, StatusTopic


@dataclass(frozen=True)
class MigrationProgress:
    """A long migration that was planned; `percent` of its rows are done, `quarantined` ones need a person."""

    name: str
    state: str
    percent: float
    quarantined: int


def _find(store: AskedStore) -> tuple[MigrationProgress, ...]:
    return tuple(
        MigrationProgress(found.name, found.state, found.percent, found.quarantined)
        for found in records.statuses(store.store)
    )


def _lines(found: tuple[MigrationProgress, ...], _now: datetime) -> Iterator[tuple[str, str]]:
    for migration in found:
        aside = f", {migration.quarantined:,} rows in quarantine" if migration.quarantined else ""
        yield "migration", f"{migration.name}: {migration.state}, {migration.percent:.1f} %{aside}"


def _figures(found: tuple[MigrationProgress, ...], _now: datetime) -> Iterator[tuple[str, float]]:
    for migration in found:
        yield f"migration.{migration.name}.percent", migration.percent
        yield f"migration.{migration.name}.quarantined", migration.quarantined


MIGRATIONS = StatusTopic("migrations", _find, _lines, _figures)
