"""What operators ask of long migrations: which are stuck, and how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.capability import AskedStore, HealthCheck, StatusTopic, UpgradeStep, by_statement
from lineage_core.long_migrations.declared import all_migrations
from lineage_core.long_migrations.store import records
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import one_value

STUCK_MIGRATIONS = HealthCheck(
    "stuck_migrations",
    by_statement("long_migrations/checks/stuck_migrations"),
    "`lineage migration status` says what; then `retry`, `accept`, `resume` or `run`.",
)
"""Long migrations that go no further without a person."""


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


def _waiting(connection: Connection) -> list[str]:
    return [
        f"What an earlier release has kept waits for a long migration, when it suits: `lineage migration run {name}`."
        for name, migration in all_migrations().items()
        if migration.moves and one_value(connection, bool, f"long_migrations/{name}/waits")
    ]


WAITING = UpgradeStep(bring_up_to_date=_waiting)
"""Operators hear at an upgrade of what it leaves to be done beside the work of the store."""

MIGRATIONS = StatusTopic("migrations", 70, _find, _lines, _figures)
