"""Alembic's runner on plain SQL files: sql/migrations/0001_….sql, 0002_….sql and so on, each after the one before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import sqlalchemy
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script.base import Script
from alembic.script.revision import ResolutionError, RevisionMap

from lineage_core.errors import SchemaDiffers
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.migration_files import VERSION_TABLE, migration_files, number


def run_pending(connection: sqlalchemy.Connection) -> None:
    """Run the migrations that the database has not had, in the transaction of the connection."""

    def steps(heads: tuple[str, ...], _context: MigrationContext) -> list[RevisionStep]:
        order = _order(lambda script: run_script(driver_of(connection), script))
        return [RevisionStep.upgrade_from_script(order, script) for script in _pending(heads, order)]

    opts: dict[str, Any] = {"fn": steps, "version_table": VERSION_TABLE}
    MigrationContext.configure(connection, opts=opts).run_migrations()


def is_new(connection: sqlalchemy.Connection) -> bool:
    """Whether the database has had no migration yet."""
    return not _heads(connection)


def pending(connection: sqlalchemy.Connection) -> list[str]:
    """The names of the migrations that the database has not had."""
    return [Path(script.path).stem for script in _pending(_heads(connection), _order(_refuse))]


def _heads(connection: sqlalchemy.Connection) -> tuple[str, ...]:
    """The last migrations that the database has had."""
    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_heads()


def driver_of(connection: sqlalchemy.Connection) -> Connection:
    """The psycopg connection below SQLAlchemy's."""
    return cast(Connection, connection.connection.driver_connection)


def _order(execute: Callable[[str], None]) -> RevisionMap:
    """The migrations as Alembic knows revisions: each comes after the one before."""
    scripts: list[Script] = []
    for path in migration_files():
        before = scripts[-1].revision if scripts else None
        scripts.append(Script(_module(path, before, execute), number(path), str(path)))
    return RevisionMap(lambda: scripts)


def _module(path: Path, before: str | None, execute: Callable[[str], None]) -> ModuleType:
    """What Alembic expects of a revision's Python file."""
    module = ModuleType(path.stem, doc=path.stem)
    vars(module).update(down_revision=before, upgrade=lambda: execute(path.read_text()))
    return module


def _pending(heads: tuple[str, ...], order: RevisionMap) -> list[Script]:
    """The migrations after the database's version. Raises SchemaDiffers if a newer release made it."""
    try:
        newest_first = list(order.iterate_revisions("head", heads, implicit_base=True))
    except ResolutionError as error:
        raise SchemaDiffers(
            f"The database is at migration {', '.join(heads)}, which this release does not have:"
            " use the release that upgraded it, or a newer one"
        ) from error
    return [cast(Script, revision) for revision in reversed(newest_first)]


def _refuse(script: str) -> None:
    raise NotImplementedError("pending migrations are only listed, not run")
