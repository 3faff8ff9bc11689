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
    """Indexes that have the column which a migration updates, so that each update writes to all indexes of its row."""

    indexes: tuple[str, ...]
    """Names of declared indexes, which are set aside while the migration runs."""
    waiting: str
    """The condition of rows that the migration is sure to update. For a few it is not worth it."""


@dataclass(frozen=True)
class LongMigration:
    """One long migration. Its statements are in `sql/migrate/<name>/`."""

    name: str
    """Its name on the command line, and that of its folder."""
    table: str
    """The table whose rows it reads."""
    key: str
    """The column by which it goes through them. Rows with one key are done together."""
    key_type: str
    """The Postgres type of the key."""
    writes: tuple[str, ...]
    """Tables that it writes, and that no vacuum must be running on."""
    switches_readers: bool = False
    """Whether it ends with a cut-over and a drop."""
    normalizes: bool = False
    """Whether its rows are raw events, which the main job's own code normalizes."""
    costly: CostlyIndexes | None = None
    """Indexes of the table that are set aside while it runs."""
    settings: Settings = DEFAULTS
    """The settings that it begins with."""


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
