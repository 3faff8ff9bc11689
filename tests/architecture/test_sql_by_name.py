"""SQL over the store's tables stands in `sql/`, and its rows are not taken apart by position (decision 32)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from lineage_core.model.tables import all_tables
from lineage_core.settings import PROJECT

PACKAGE = PROJECT / "src" / "lineage_core"
RENDERS = PACKAGE / "render"
"""Renders SQL, and executes none."""

IS_SQL = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b.*\b(" + "|".join(one.name for one in all_tables()) + r")\b", re.S
)
POSITIONAL = re.compile(r"fetch(one|all|many)\(")
FETCHES = {
    "postgres/typed_rows.py": "makes the values",
    "queries/store.py": "shows the answer to any query",
    "long_migrations/store/hold_queries.py": "asks what an operator has written",
    "normalize/store/merging.py": "reads a staging schema that is put into the text",
}


def _inline(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and IS_SQL.match(node.value):
            yield node.value


def test_no_statement_over_a_table_stands_in_python() -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if RENDERS not in path.parents]
    found = {str(path.relative_to(PACKAGE)): list(_inline(path.read_text())) for path in modules}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_only_who_has_a_reason_fetches_rows_that_have_no_type() -> None:
    fetching = {str(path.relative_to(PACKAGE)) for path in PACKAGE.rglob("*.py") if POSITIONAL.search(path.read_text())}
    assert fetching == set(FETCHES)


@pytest.mark.parametrize(
    "code",
    [
        'connection.execute("SELECT uuid FROM runs WHERE uuid = %s", [uuid])',
        'connection.execute("UPDATE watermarks SET target = NULL,"\n    " updated_at = now()")',
        '_PUT = """\nINSERT INTO quarantine (reason) VALUES (%s)\n"""',
    ],
)
def test_statements_in_python_are_found(code: str) -> None:
    assert len(list(_inline(code))) == 1


def test_a_setting_is_no_statement_over_a_table() -> None:
    assert list(_inline("connection.execute(\"SELECT set_config('role', %s, true)\")")) == []
