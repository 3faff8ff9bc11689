"""There is one place that connects to Postgres: what it does for each connection cannot be forgotten elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from lineage_core.settings import PROJECT

FOLDERS = ("src", "tests", "dags", "spark_jobs", "plugins", "benchmarks")

CONNECTS = {"psycopg.connect", "psycopg.Connection.connect", "psycopg.AsyncConnection.connect", "Connection.connect"}
MAKES_ENGINES = {"sqlalchemy.create_engine", "create_engine"}
LAST_WORDS = {name.rpartition(".")[2] for name in CONNECTS | MAKES_ENGINES}

EXPECTED = {
    ("src/lineage_core/postgres/connection.py", "Connection.connect"),
    ("src/lineage_core/database/store.py", "sqlalchemy.create_engine"),
    # Clients that know nothing of us, and two that watch what ours does.
    ("tests/postgres/test_anybodys_settings.py", "psycopg.connect"),
    ("tests/postgres/test_capture.py", "psycopg.connect"),
    ("tests/support/parse_trees.py", "psycopg.Connection.connect"),
    ("tests/support/stepped_runs.py", "Connection.connect"),
    # The route that the receiver is measured beside.
    ("benchmarks/receive.py", "psycopg.AsyncConnection.connect"),
}


def test_nothing_connects_but_the_one_place() -> None:
    found = {
        (str(path.relative_to(PROJECT)), name)
        for folder in FOLDERS
        for path in (PROJECT / folder).rglob("*.py")
        for name in _names(path)
        if name in CONNECTS | MAKES_ENGINES
    }
    assert found == EXPECTED


def test_the_one_engine_connects_there_too() -> None:
    made = [
        {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
        for call in ast.walk(ast.parse((PROJECT / "src/lineage_core/database/store.py").read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in MAKES_ENGINES
    ]
    assert [arguments.get("creator") for arguments in made] == ["store.connect"]


def _names(path: Path) -> Iterator[str]:
    """Dotted names by which a file may connect, of the attributes that it uses."""
    text = path.read_text()
    if not any(name in text for name in LAST_WORDS):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and node.attr in LAST_WORDS:
            yield ast.unparse(node)
