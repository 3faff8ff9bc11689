"""Bringing functions, triggers and views up to date: those whose files have changed are run again, in one transaction.

Numbered migrations come in between: views are taken away before them where that is needed, as a table does not change
under a view, and all is made that is missing after them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from psycopg import errors, sql

from lineage_core import statements
from lineage_core.declare.schema_scripts import (
    FUNCTIONS,
    REPLACEMENTS,
    UNCHECKED,
    VIEWS,
    SchemaScript,
    all_scripts,
    schema_scripts,
)
from lineage_core.declare.tables import table_named
from lineage_core.declare.views import View, all_views
from lineage_core.declare.vocabulary import Table
from lineage_core.errors import NeedsOperator
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.replaced_tables import put_views_in_place
from lineage_core.postgres.typed_rows import every_row, every_value, execute, one_value
from lineage_core.render import ddl


@dataclass(frozen=True)
class _KnownScript:
    path: str
    digest: str


@dataclass(frozen=True)
class Scripts:
    """The scripts of this release that the store has not run, and those that it has run and this release has not."""

    changed: frozenset[SchemaScript]
    gone: frozenset[str]

    @property
    def touches_views(self) -> bool:
        """Whether views are made anew: each for its own text, and all for a function, which may get another type."""
        return any(self.changed_in(folder) or self.gone_from(folder) for folder in (FUNCTIONS, VIEWS, REPLACEMENTS))

    def changed_in(self, folder: str) -> set[str]:
        return {script.name for script in self.changed if script.folder == folder}

    def gone_from(self, folder: str) -> set[str]:
        return {path.removeprefix(f"{folder}/") for path in self.gone if path.startswith(f"{folder}/")}


def waiting_scripts(connection: Connection) -> Scripts:
    """What an upgrade would run; everything, for a store that knows of no script."""
    kept = _kept(connection)
    known = all_scripts()
    return Scripts(
        frozenset(script for script in known if kept.get(script.path) != script.digest),
        frozenset(kept) - {script.path for script in known},
    )


def take_views_aside(connection: Connection, waiting: Scripts, replaced: Collection[str]) -> list[str]:
    """Drops the views, so that tables and functions may change below them; a materialized one if it has changed itself.

    Gives the statements that grant again what others were granted on them. Raises NeedsOperator if a view of somebody
    else depends on one of them.
    """
    stored = {view.name for view in all_views() if view.is_materialized}
    plain = {view.name for view in all_views()} - stored
    names = plain | waiting.gone_from(VIEWS) | set(replaced) | waiting.changed_in(VIEWS) & stored
    found = every_value(connection, str, "postgres/views", {"names": sorted(names)})
    grants = every_value(connection, str, "database/scripts/grants_of_views", {"names": found})
    _drop(connection, "MATERIALIZED VIEW", [name for name in found if name in stored])
    _drop(connection, "VIEW", [name for name in found if name not in stored])
    return grants


def run_waiting(connection: Connection, waiting: Scripts, grants: list[str] | None, replaced: Collection[str]) -> None:
    """Runs what waits, behind the migrations.

    grants: what `take_views_aside` gave, None if the views are all there. replaced: the tables in whose place there are
    views.
    """
    connection.execute(UNCHECKED)
    for script in schema_scripts():
        if script in waiting.changed:
            _run(connection, script)
    for name in sorted(waiting.gone_from(FUNCTIONS)):
        _drop_functions(connection, _functions(connection, name))
    if grants is not None:
        _make_views(connection, replaced)
        for grant in grants:
            run_script(connection, grant)
    digests = {script.path: script.digest for script in waiting.changed}
    execute(connection, "database/scripts/keep", {"paths": list(digests), "digests": list(digests.values())})
    execute(connection, "database/scripts/forget", {"paths": sorted(waiting.gone)})


def _kept(connection: Connection) -> Mapping[str, str]:
    if not one_value(connection, bool, "postgres/relation_exists", {"name": "public.schema_scripts"}):
        return {}
    return {one.path: one.digest for one in every_row(connection, _KnownScript, "database/scripts/digests")}


def _run(connection: Connection, script: SchemaScript) -> None:
    """A function that has other arguments or another result now is another one for Postgres: the old one goes."""
    before = _functions(connection, script.name) if script.folder == FUNCTIONS else []
    try:
        with connection.transaction():
            run_script(connection, script.text)
    except errors.InvalidFunctionDefinition:
        _drop_functions(connection, before)
        run_script(connection, script.text)
    if before and len(_functions(connection, script.name)) > len(before):
        _drop_functions(connection, before)


def _functions(connection: Connection, name: str) -> list[str]:
    return every_value(connection, str, "database/scripts/functions_named", {"name": name})


def _drop_functions(connection: Connection, signatures: Iterable[str]) -> None:
    for signature in signatures:
        run_script(connection, f"DROP FUNCTION IF EXISTS {signature}")


def _drop(connection: Connection, kind: str, names: Collection[str]) -> None:
    if not names:
        return
    listed = sql.SQL(", ").join(map(sql.Identifier, names))
    try:
        connection.execute(sql.SQL("DROP {} {}").format(sql.SQL(kind), listed))
    except errors.DependentObjectsStillExist as error:
        raise NeedsOperator(
            f"Views of the store are made anew, and something that is not the store's depends on them:"
            f" {error.diag.message_detail}. Drop it, upgrade, and make it again"
        ) from error


def _make_views(connection: Connection, replaced: Collection[str]) -> None:
    """All that are missing. Where a view stands for a table, it is put in the place of an empty one, as it once was."""
    there = every_value(connection, str, "postgres/views", {"names": [view.name for view in all_views()]})
    for name in sorted(replaced):
        if not one_value(connection, bool, "postgres/relation_exists", {"name": f"public.{name}"}):
            run_script(connection, ddl.table_ddl(_without_references(table_named(name))))
    for view in all_views():
        if view.name not in there:
            _make(connection, view)
    put_views_in_place(connection, replaced)


def _without_references(table: Table) -> Table:
    """It lasts until a view takes its place. A foreign key would keep everybody from writing to the table named."""
    return replace(table, columns=tuple(replace(column, reference=None) for column in table.columns))


def _make(connection: Connection, view: View) -> None:
    run_script(connection, statements.named(view.statement))
    if not view.is_materialized:
        run_script(connection, ddl.view_refusal(view))
