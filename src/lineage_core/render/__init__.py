"""Declaration to text, and where each text is kept.

Renderings are committed, so that a reader sees the SQL that runs. A new kind is a line in `TABLES` or `DOCUMENTS`, a
function one in `functions.FUNCTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lineage_core.model.database_schemas import STAGING_SCHEMAS
from lineage_core.model.derivations import all_derivations
from lineage_core.model.tables import all_tables, table_named
from lineage_core.model.views import all_views
from lineage_core.model.vocabulary import Table
from lineage_core.render import access, capture, ddl, derivations, functions, markdown, merge, views
from lineage_core.statements import SECTION

TABLES: Mapping[str, Callable[[Table], str | None]] = {
    "capture": capture.triggers,
    "merge": merge.statement,
    "refusals": ddl.refusals,
}
"""A file of `sql/` for each, with a section for each table; none where the function gives None."""

FUNCTIONS = "sql/functions/rendered.sql"

DOCUMENTS: Mapping[str, Callable[[], str]] = {
    "docs/derivations.md": lambda: derivations.document(all_tables(), all_derivations()),
    "docs/tables.md": lambda: markdown.document(all_tables()),
    "docs/views.md": lambda: views.document(all_views()),
    "sql/access/grants.sql": lambda: access.grants(all_tables(), all_views()),
}
"""A file for all declarations of a kind together."""


def renderings() -> dict[str, str]:
    """The text of each rendered file, by its path below the project."""
    return {
        **{f"sql/{kind}.sql": _sections(_of_tables(kind, render)) for kind, render in TABLES.items()},
        FUNCTIONS: _sections(functions.rendered()),
        **{path: render().strip() + "\n" for path, render in DOCUMENTS.items()},
    }


def table(name: str) -> str:
    """What makes a table, with its staging tables: for a migration to start from. DeclarationError if unknown."""
    declared = table_named(name)
    staged = [ddl.staging_table(declared, schema) for schema in STAGING_SCHEMAS]
    return "\n\n".join(filter(None, [ddl.table_ddl(declared), ddl.late_references(declared), *staged]))


def stale(project: Path) -> list[str]:
    """The files that are not what is rendered now."""
    return sorted(path for path, text in renderings().items() if _read(project / path) != text)


def write(project: Path) -> list[str]:
    """Bring the stale files up to date; their paths."""
    wanted, outdated = renderings(), stale(project)
    for path in outdated:
        target = project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(wanted[path])
    return outdated


def _of_tables(kind: str, render: Callable[[Table], str | None]) -> dict[str, str]:
    texts = {table: render(table) for table in all_tables()}
    rendered = {table: text.strip() for table, text in texts.items() if text is not None}
    return {f"{kind}/{table.name}": f"{_origin(table)}\n{text}\n" for table, text in rendered.items()}


def _sections(texts: Mapping[str, str]) -> str:
    return "\n".join(f"{SECTION}{name}\n{text}" for name, text in texts.items())


def _origin(table: Table) -> str:
    return f"-- Rendered from model/tables/{table.name}.py by `lineage sql`: edit the declaration, not this file."


def _read(path: Path) -> str | None:
    return path.read_text() if path.exists() else None
