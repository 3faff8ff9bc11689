"""Long migrations that give rows of an earlier release their new form, from their plan to their end."""

from __future__ import annotations

from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.postgres.store import Store
from lineage_core.tasks import HERE, ThreadRunner

ALL = {"after": None, "until": "ffffffff-ffff-ffff-ffff-ffffffffffff", "rows": 1_000_000}
"""What a step is given that takes all rows at once, by a key that is a uuid."""


def moved(store: Store, name: str) -> int:
    """Runs the migration to its end; how many rows it changed."""
    records.plan(store, name)
    changed = migrate(store, name, HERE).changed
    end.finalize(store, name)
    return changed


def moved_one_by_one(store: Store, name: str, workers: int) -> int:
    """Runs it by so many workers, each row in a transaction of its own; how many rows it changed."""
    records.plan(store, name)
    for setting in ("smallest_rows", "start_rows", "largest_rows"):
        records.change_setting(store, name, setting, "1")
    changed = migrate(store, name, ThreadRunner(), workers=workers).changed
    end.finalize(store, name)
    return changed
