"""The whole store as one script: what a database holds when every migration has run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lineage_core import statements
from lineage_core.model.streams import captured_tables
from lineage_core.model.views import all_views
from lineage_core.model.vocabulary import Table
from lineage_core.render import capture, ddl, functions, views

OPENING = """-- Creates the store: types, functions, tables, staging tables, views.
-- Until the first release `lineage sql` renders this file from the declarations and from sql/types, sql/functions,
-- sql/capture, sql/triggers, sql/views and sql/rows. From then on it is history, and never changes."""


UNCHECKED = "SET LOCAL check_function_bodies = off;"
"""Functions come before the tables, whose defaults call them; those in plain SQL read tables themselves."""


def first_migration(tables: Iterable[Table]) -> str:
    return "\n\n".join([OPENING, *scripts(tables), *_stripped(statements.of_folder("rows"))])


def scripts(
    tables: Iterable[Table], staging: Sequence[str] = ddl.STAGING_SCHEMAS, changes: str = capture.CHANGES
) -> Iterator[str]:
    """Scripts that make the store in the first schema of the search path, staging tables and changes in theirs.

    The rows that it has from its beginning are not among them.
    """
    declared = tuple(tables)
    yield from (f"CREATE SCHEMA IF NOT EXISTS {schema};" for schema in (*staging, changes))
    yield from _stripped(statements.of_folder("types"))
    yield UNCHECKED
    yield from _stripped(_functions())
    yield from map(ddl.table_ddl, declared)
    yield from _stripped(statements.of_folder("triggers"))
    yield from filter(None, map(ddl.late_references, declared))
    yield from filter(None, (ddl.staging_table(table, schema) for schema in staging for table in declared))
    yield capture.sequence(changes)
    yield from (capture.changes_table(captured, changes) for captured in captured_tables())
    yield from filter(None, map(capture.function_and_triggers, declared))
    yield from _stripped(statements.named(f"views/{view.name}") for view in all_views())
    yield from (views.refusal(view) for view in all_views() if not view.is_materialized)


def _functions() -> Iterator[str]:
    """Those that are rendered, and those that are not, by name."""
    rendered = functions.rendered()
    for name in sorted({*rendered, *statements.names("functions")}):
        yield rendered.get(name) or statements.named(f"functions/{name}")


def _stripped(texts: Iterable[str]) -> Iterator[str]:
    return (text.strip() for text in texts)
