"""Every long migration, one file each: which table's keys it goes through, and what else it can do.

They are found by looking, so a new one is a new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.plan.settings import DEFAULTS, Settings


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
    table: str
    key: str
    key_type: str
    writes: tuple[str, ...]
    switches_readers: bool = False
    normalizes: bool = False
    costly: CostlyIndexes | None = None
    settings: Settings = DEFAULTS


@cache
def all_migrations() -> dict[str, LongMigration]:
    """Name to migration, for every file of this package."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    return {module.MIGRATION.name: module.MIGRATION for module in modules}


def long_migration(name: str) -> LongMigration:
    """Raises WrongUsage if there is none of the name."""
    known = all_migrations()
    if name not in known:
        raise WrongUsage(f"There is no long migration {name!r}; there are {', '.join(known)}")
    return known[name]
