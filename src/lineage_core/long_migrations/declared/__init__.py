"""Every long migration, one file each: which table's keys it goes through, and what else it can do.

They are found by looking, so a new one is a new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.plan.settings import DEFAULTS, Settings
from lineage_core.model.tables import replaceable_tables
from lineage_core.model.vocabulary import DeclarationError


@dataclass(frozen=True)
class CostlyIndexes:
    """Indexes that have the column which a migration updates, so that each update writes to all indexes of its row.

    waiting: the condition of rows that the migration is sure to update; for a few it is not worth building them anew.
    """

    indexes: tuple[str, ...]
    waiting: str


@dataclass(frozen=True)
class Replacement:
    """A table that readers need no more once they are switched over, so that `drop` puts a view in its place.

    table: its name; it declares itself replaceable. by: the tables that hold the same from then on.
    """

    table: str
    by: tuple[str, ...]


@dataclass(frozen=True)
class LongMigration:
    """One long migration; its statements stand in `sql/long_migrations/<name>/`.

    doc: what it does, in the first words of its page in Airflow. table, key, key_type: whose rows it looks at, by which
    column; rows with one key are done together. writes: tables that a vacuum must not be at work on. replaces: what it
    replaces, if anything; then it ends with a cut-over and a drop, otherwise with `finalize`. normalizes: whether its
    rows are raw events, which the main job's own code takes in. costly: declared indexes of the table that are set
    aside while it runs. settings: those that it begins with.
    """

    name: str
    doc: str
    table: str
    key: str
    key_type: str
    writes: tuple[str, ...]
    replaces: Replacement | None = None
    normalizes: bool = False
    costly: CostlyIndexes | None = None
    settings: Settings = DEFAULTS


@cache
def all_migrations() -> dict[str, LongMigration]:
    """Name to migration, for every file of this package."""
    modules = (importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__))
    found = {module.MIGRATION.name: module.MIGRATION for module in modules}
    check_replacements(found.values(), {declared.name for declared in replaceable_tables()})
    return found


def long_migration(name: str) -> LongMigration:
    """Raises WrongUsage if there is none of the name."""
    known = all_migrations()
    if name not in known:
        raise WrongUsage(f"There is no long migration {name!r}; there are {', '.join(known)}")
    return known[name]


def replacing(table: str) -> LongMigration:
    """The migration that puts a view in the place of a replaceable table."""
    return next(one for one in all_migrations().values() if one.replaces and one.replaces.table == table)


def check_replacements(migrations: Iterable[LongMigration], replaceable: Iterable[str]) -> None:
    """Raises DeclarationError unless each replaceable table is replaced by one migration, and no other table is."""
    replaced = [one.replaces.table for one in migrations if one.replaces]
    if sorted(replaced) != sorted(replaceable):
        raise DeclarationError(
            f"long migrations replace {sorted(replaced)}, but the tables that say they are replaceable are"
            f" {sorted(replaceable)}: each of these takes one migration"
        )
