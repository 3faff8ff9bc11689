"""What the declarations say that a database holds, as scripts: to compare it with what a database does hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lineage_core import statements
from lineage_core.declare.database_names import CHANGES, STAGING_SCHEMAS
from lineage_core.declare.schema_scripts import UNCHECKED, schema_scripts
from lineage_core.declare.streams import captured_tables
from lineage_core.declare.views import all_views
from lineage_core.declare.vocabulary import Table
from lineage_core.render import capture, ddl


def scripts(tables: Iterable[Table], staging: Sequence[str] = STAGING_SCHEMAS, changes: str = CHANGES) -> Iterator[str]:
    """Scripts that make the store in the first schema of the search path, staging tables and changes in theirs.

    The rows that it has from its beginning are not among them.
    """
    yield from table_scripts(tables, staging, changes)
    yield UNCHECKED
    yield from (script.text for script in schema_scripts())
    for view in all_views():
        yield statements.named(view.statement)
        yield from [] if view.is_materialized else [ddl.view_refusal(view)]


def table_scripts(
    tables: Iterable[Table], staging: Sequence[str] = STAGING_SCHEMAS, changes: str = CHANGES
) -> Iterator[str]:
    """Those of them that make schemas, types and tables, which numbered migrations make in a store."""
    declared = tuple(tables)
    yield from (f"CREATE SCHEMA IF NOT EXISTS {schema};" for schema in (*staging, changes))
    yield from statements.of_folder("model/types")
    yield from map(ddl.table_ddl, declared)
    yield from filter(None, map(ddl.late_references, declared))
    yield from filter(None, (ddl.staging_table(table, schema) for schema in staging for table in declared))
    yield capture.sequence(changes)
    yield from (capture.changes_table(captured, changes) for captured in captured_tables())
