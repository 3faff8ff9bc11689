"""Declaration to text, and where each text is kept.

Renderings are committed, so that a reader sees the SQL that runs. A new kind is a line in `TABLES` or `DOCUMENTS`, a
function one in `functions.FUNCTIONS`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from lineage_core.declare.database_names import STAGING_SCHEMAS
from lineage_core.declare.streams import captured_tables
from lineage_core.declare.tables import all_tables, declared_tables, table_named
from lineage_core.declare.views import all_views
from lineage_core.declare.vocabulary import Table
from lineage_core.model.derivations import all_derivations
from lineage_core.render import access, capture, ddl, functions, merge, model_picture, pages
from lineage_core.statements import SECTION

TABLES: Mapping[str, Callable[[Table], str | None]] = {
    "capture": capture.triggers,
    "merge": merge.statement,
    "refusals": ddl.refusals,
}
"""A file for each in the `sql/` of a package, with a section for each of its tables; none where the function gives
None."""

_CODE = "src/lineage_core"

FUNCTIONS, GRANTS = f"{_CODE}/model/sql/functions/rendered.sql", f"{_CODE}/postgres/sql/access/grants.sql"

DOCUMENTS: Mapping[str, Callable[[], str]] = {
    "docs/pictures/model.svg": lambda: model_picture.picture(all_tables(), all_derivations()),
    "docs/derivations.md": lambda: pages.derivations_page(all_tables(), all_derivations()),
    "docs/tables.md": lambda: pages.tables_page(all_tables()),
    "docs/views.md": lambda: pages.views_page(all_views()),
}
"""A file for all declarations of a kind together."""


def renderings() -> dict[str, str]:
    """The text of each rendered file, by its path below the project."""
    return {
        **{path: _sections(texts) for path, texts in _of_tables().items()},
        FUNCTIONS: _sections(functions.rendered()),
        GRANTS: _sections(access.scripts(all_tables(), all_views())),
        **{path: render().strip() + "\n" for path, render in DOCUMENTS.items()},
    }


def table(name: str) -> str:
    """What makes a table, and where its rows are staged and its changes wait: for a migration to start from.

    Raises DeclarationError if no package declares it.
    """
    declared = table_named(name)
    staged = [ddl.staging_table(declared, schema) for schema in STAGING_SCHEMAS]
    changes = [capture.changes_table(captured) for captured in captured_tables() if captured.table is declared]
    return "\n\n".join(filter(None, [ddl.table_ddl(declared), ddl.late_references(declared), *staged, *changes]))


def stale(project: Path) -> list[str]:
    """The files that are not what is rendered now, or that nothing is rendered to any more."""
    wanted = renderings()
    changed = (path for path, text in wanted.items() if _read(project / path) != text)
    there = (path for kind in TABLES for path in (project / _CODE).glob(f"*/sql/{kind}.sql"))
    left_over = {str(path.relative_to(project)) for path in there} - wanted.keys()
    return sorted((*changed, *left_over))


def write(project: Path) -> list[str]:
    """Bring the stale files up to date; their paths."""
    wanted, outdated = renderings(), stale(project)
    for path in outdated:
        target = project / path
        if path not in wanted:
            target.unlink()
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(wanted[path])
    return outdated


def _of_tables() -> Mapping[str, Mapping[str, str]]:
    """The sections of each file that has some, in the order of the tables."""
    files: dict[str, dict[str, str]] = defaultdict(dict)
    where = {found.value.name: found for found in declared_tables()}
    for kind, render in TABLES.items():
        for declared in all_tables():
            text, found = render(declared), where[declared.name]
            if text is not None:
                sections = files[f"{_CODE}/{found.package}/sql/{kind}.sql"]
                sections[f"{kind}/{declared.name}"] = f"{_origin(found.file)}\n{text.strip()}\n"
    return files


def _sections(texts: Mapping[str, str]) -> str:
    return "\n".join(f"{SECTION}{name}\n{text}" for name, text in texts.items())


def _origin(file: str) -> str:
    return f"-- Rendered from {file} by `lineage sql`: edit the declaration, not this file."


def _read(path: Path) -> str | None:
    return path.read_text() if path.exists() else None
