"""Every long migration, one file each: which table's keys it goes through, and what else it can do.

They are found by looking, so a new one is a new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from string import Formatter

from lineage_core.declare.tables import replaceable_tables
from lineage_core.declare.vocabulary import DeclarationError
from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.decisions.settings import DEFAULTS, MigrationSettings


@dataclass(frozen=True)
class CostlyIndexes:
    """Indexes that have the column which a migration updates, so that each update writes to all indexes of its row."""

    indexes: tuple[str, ...]
    """Names of declared indexes, which are set aside while the migration runs."""
    waiting: str
    """The condition of rows that the migration is sure to update. For a few it is not worth it."""


@dataclass(frozen=True)
class Comparison:
    """What `verify` compares, beside what each verification counts (`store/end.py`)."""

    rows: str
    """What the rows are called that differ, or do not."""
    sums: tuple[str, ...]
    """The columns of its script that count what readers see, and what explains a difference. They are summed up over
    all chunks, and kept in this order."""
    sentences: str
    """What an operator reads of them: a text of sums in braces, without its last full stop."""

    def __post_init__(self) -> None:
        named = {name for _, name, _, _ in Formatter().parse(self.sentences) if name is not None}
        if unknown := sorted(named - {*self.sums}):
            raise DeclarationError(f"The sentences of {self.rows} name {unknown}, which are not counted")


@dataclass(frozen=True)
class Replacement:
    """A table that readers need no more once they are switched over, so that `drop` puts a view in its place."""

    table: str
    """Its name; it declares the statement that does it."""
    by: tuple[str, ...]
    """The tables that hold the same from then on."""
    compared: Comparison
    """What has to agree before readers are switched over."""


@dataclass(frozen=True)
class LongMigration:
    """One long migration. Its statements are `long_migrations/<name>/…`."""

    name: str
    """Its name on the command line, and that of its folder."""
    doc: str
    """What it does, in the first words of its page in Airflow."""
    table: str
    """The table whose rows it reads."""
    key: str
    """The column by which it goes through them. Rows with one key are done together."""
    key_type: str
    """The Postgres type of the key."""
    writes: tuple[str, ...]
    """Tables that it writes, and that no vacuum must be running on."""
    reads: tuple[str, ...] = ()
    """Other tables that it reads to know what to write."""
    replaces: Replacement | None = None
    """What it replaces, if anything; then it ends with a cut-over and a drop, otherwise with `finalize`."""
    moves: bool = False
    """Whether it gives another form to what an earlier release has kept: upgrades name it while `waits` finds any."""
    normalizes: bool = False
    """Whether its rows are raw events, which the main job's own code normalizes."""
    costly: CostlyIndexes | None = None
    """Indexes of the table that are set aside while it runs."""
    settings: MigrationSettings = DEFAULTS
    """The settings that it begins with."""

    @property
    def dag_id(self) -> str:
        """The DAG of `dags/long_migrations.py` that runs it."""
        return f"migrate_{self.name.replace('-', '_')}"


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


def check_replacements(migrations: Iterable[LongMigration], replaceable: Iterable[str]) -> None:
    """Raises DeclarationError unless each replaceable table is replaced by one migration, and no other table is."""
    replaced = [one.replaces.table for one in migrations if one.replaces]
    if sorted(replaced) != sorted(replaceable):
        raise DeclarationError(
            f"long migrations replace {sorted(replaced)}, but the tables that say they are replaceable are"
            f" {sorted(replaceable)}: each of these takes one migration"
        )
