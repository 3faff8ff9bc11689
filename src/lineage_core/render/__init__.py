"""Declaration to text, and where each text is kept.

Renderings are committed, so that a reader sees the SQL that runs. A new kind is a line in `FOLDERS` or `DOCUMENTS`, a
function one in `functions.FUNCTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from lineage_core.model.database_schemas import STAGING_SCHEMAS
from lineage_core.model.derivations import all_derivations
from lineage_core.model.tables import all_tables, table_named
from lineage_core.model.views import all_views
from lineage_core.model.vocabulary import Table
from lineage_core.render import access, capture, ddl, derivations, functions, markdown, merge, views

FOLDERS: Mapping[str, Callable[[Table], str | None]] = {
    "sql/capture": capture.function_and_triggers,
    "sql/merge": merge.statement,
    "sql/refusals": ddl.refusals,
}
"""A file for each table, named for it; none where the function gives None."""

FUNCTIONS = "sql/functions"
"""Some of its files are rendered, and say so in their first line."""

DOCUMENTS: Mapping[str, Callable[[], str]] = {
    "docs/derivations.md": lambda: derivations.document(all_tables(), all_derivations()),
    "docs/tables.md": lambda: markdown.document(all_tables()),
    "docs/views.md": lambda: views.document(all_views()),
    "sql/access/grants.sql": lambda: access.grants(all_tables(), all_views()),
}
"""A file for all declarations of a kind together."""


def renderings() -> dict[str, str]:
    """The text of each rendered file, by its path below the project."""
    return dict([*_in_folders(), *_functions(), *_documents()])


def table(name: str) -> str:
    """What makes a table, with its staging tables: for a migration to start from. DeclarationError if unknown."""
    declared = table_named(name)
    staged = [ddl.staging_table(declared, schema) for schema in STAGING_SCHEMAS]
    return "\n\n".join(filter(None, [ddl.table_ddl(declared), ddl.late_references(declared), *staged]))


def stale(project: Path) -> list[str]:
    """The files that are not what is rendered now: changed, missing, or left over."""
    wanted = renderings()
    changed = [path for path, text in wanted.items() if _read(project / path) != text]
    return sorted([*changed, *_left_over(project, wanted)])


def write(project: Path) -> list[str]:
    """Bring the stale files up to date; their paths."""
    wanted, outdated = renderings(), stale(project)
    for path in outdated:
        target = project / path
        if path in wanted:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(wanted[path])
        else:
            target.unlink()
    return outdated


def _in_folders() -> Iterator[tuple[str, str]]:
    for folder, render in FOLDERS.items():
        for table in all_tables():
            text = render(table)
            if text is not None:
                yield f"{folder}/{table.name}.sql", f"{_origin(table)}\n{text.strip()}\n"


def _functions() -> Iterator[tuple[str, str]]:
    for name, text in functions.rendered().items():
        yield f"{FUNCTIONS}/{name}.sql", text


def _documents() -> Iterator[tuple[str, str]]:
    for path, render in DOCUMENTS.items():
        yield path, render().strip() + "\n"


def _origin(table: Table) -> str:
    return f"-- Rendered from model/tables/{table.name}.py by `lineage sql`: edit the declaration, not this file."


def _left_over(project: Path, wanted: Mapping[str, str]) -> Iterator[str]:
    for folder in FOLDERS:
        for path in (project / folder).glob("*.sql"):
            name = f"{folder}/{path.name}"
            if name not in wanted:
                yield name
    for path in (project / FUNCTIONS).glob("*.sql"):
        name = f"{FUNCTIONS}/{path.name}"
        if name not in wanted and path.read_text().startswith(functions.RENDERED):
            yield name


def _read(path: Path) -> str | None:
    return path.read_text() if path.exists() else None
