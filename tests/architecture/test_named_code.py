"""Comments, docstrings and pages name no module, file, statement or function that is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from lineage_core.declare.tables import all_tables
from lineage_core.declare.views import all_views
from lineage_core.settings import PROJECT

PACKAGE = PROJECT / "src" / "lineage_core"
FOLDERS = ("src", "sql", "tests", "dags", "spark_jobs", "plugins", "docs", "benchmarks", "changelog.d")

EXAMPLES = {
    "address": "a column with columns within",
    "dag": "the full name of a task's job",
    "lineage": "our metrics, and tables of a catalog",
    "namespace": "names in general",
    "net": "a column with columns within",
    "deadline_alerts": "metrics of Airflow",
    "parent": "the full name of a job",
    "spark": "settings and facets of Spark",
    "staging": "a Postgres schema",
    "changes": "a Postgres schema",
    "example": "datasets of the example",
}
"""What stands before a dot in backticks and is no module, table or class, and what it is."""

EXAMPLE_FILES = {
    "airflow_local_settings.py": "a file of Airflow's",
    "job.py": "a job of a reader of the page",
    "openlineage.properties": "a file of that job",
    "runs.sql": "a file that could be there",
}
"""Files that are no files of the project, and what they are."""

FULL_NAME = re.compile(r"(?<![\w./-])lineage_core(?:\.[A-Za-z_]\w*)+")
SHORT_NAME = re.compile(r"`([a-z_]\w*)\.([A-Za-z_]\w*)(?:\([^`]*\))?`")
"""A module, or a table, and a name in it."""
FILE = re.compile(r"(?<![\w./*<>…-])((?:[\w-]+/)*[\w-]+\.(?:py|sql))(?![\w.])")
BELOW_SQL = re.compile(r"(?<![\w./-])sql/[\w-]+(?:/[\w-]+)*(?![\w./*<>…-])")
"""A folder of `sql/`."""
CODE_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
"""What other tests run, or Python itself would refuse."""
COMMENT_OF_PYTHON = re.compile(r"(?:^|\s)#\s.*", re.MULTILINE)
COMMENT_OF_SQL = re.compile(r"--.*")


@cache
def files() -> frozenset[str]:
    """Every file of the project that may be named, by its path."""
    found = (path for folder in FOLDERS for path in (PROJECT / folder).rglob("*") if path.is_file())
    return frozenset(str(path.relative_to(PROJECT)) for path in (*found, *PROJECT.glob("*")))


@cache
def endings() -> frozenset[str]:
    """What a path may be called: by its end, from any folder on."""
    return frozenset("/".join(path.split("/")[start:]) for path in files() for start in range(path.count("/") + 1))


@cache
def defined(module: Path) -> dict[str, ast.ClassDef | None]:
    """The names at the top of a module, imported ones too, with the class that each is, if it is one."""
    found = dict[str, ast.ClassDef | None]()
    for node in ast.walk(ast.parse(module.read_text())):
        match node:
            case ast.ClassDef(name=name):
                found[name] = node
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.setdefault(name, None)
            case ast.Name(id=name, ctx=ast.Store()):
                found.setdefault(name, None)
            case ast.alias(name=name, asname=other):
                found.setdefault(other or name, None)
            case _:
                pass
    return found


@cache
def modules() -> dict[str, list[Path]]:
    """The modules of each short name: that of a file, or of a package."""
    found = dict[str, list[Path]]()
    for path in PACKAGE.rglob("*.py"):
        found.setdefault(path.parent.name if path.stem == "__init__" else path.stem, []).append(path)
    return found


def is_there(full_name: str) -> bool:
    """Whether a name that begins with `lineage_core.` leads somewhere."""
    place, parts = PACKAGE, full_name.split(".")[1:]
    for number, part in enumerate(parts):
        if (place / part).is_dir():
            place = place / part
        elif (place / f"{part}.py").exists():
            return _is_in(place / f"{part}.py", parts[number + 1 :])
        else:
            return _is_in(place / "__init__.py", parts[number:])
    return True


def _is_in(module: Path, names: list[str]) -> bool:
    if not names:
        return True
    if names[0] not in defined(module):
        return False
    found = defined(module)[names[0]]
    if len(names) == 1 or found is None or found.bases:
        return True
    return any(names[1] in (getattr(node, "name", ""), getattr(node, "id", "")) for node in ast.walk(found))


def is_short_name(first: str, second: str) -> bool:
    """Whether the two are a name in a module of ours, or something else that has dots."""
    if f"{first}.{second}" in endings() | EXAMPLE_FILES.keys() or first in EXAMPLES:
        return True
    if second in columns().get(first, ()) or first in {view.name for view in all_views()}:
        return True
    ours = modules().get(first, [])
    if any(second in defined(module) or f'"{second}"' in module.read_text() for module in ours):
        return True
    if any((module.parent / f"{second}.py").exists() or (module.parent / second).is_dir() for module in ours):
        return True
    return not ours and (second in {"json", "toml", "yaml", "yml", "txt", "ndjson", "env"} or _is_of_others(first))


def _is_of_others(name: str) -> bool:
    """A package that is installed, or Python's own."""
    return name != "lineage_core" and find_spec(name) is not None


@cache
def columns() -> dict[str, frozenset[str]]:
    """Of each table of the store."""
    return {table.name: frozenset(column.name for column in table.columns) for table in all_tables()}


def gone(text: str) -> Iterator[str]:
    yield from (name for name in FULL_NAME.findall(text) if not is_there(name))
    yield from (f"{one}.{other}" for one, other in SHORT_NAME.findall(text) if not is_short_name(one, other))
    yield from (path for path in FILE.findall(text) if path not in endings() and path not in EXAMPLE_FILES)
    yield from (name for name in BELOW_SQL.findall(text) if not (PROJECT / name).is_dir())


def prose_of(path: Path) -> str:
    """What a file has for a reader: comments and docstrings of code, a page without its code."""
    text = path.read_text()
    if path.suffix == ".sql":
        return "\n".join(COMMENT_OF_SQL.findall(text))
    if path.suffix == ".md":
        return CODE_BLOCK.sub("", text)
    alone = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
    docstrings = (one.value for one in alone if isinstance(one, ast.Constant) and isinstance(one.value, str))
    return "\n".join([*docstrings, *COMMENT_OF_PYTHON.findall(text)])


def readable() -> Iterator[Path]:
    """Migrations never change once they have landed, and the changelog is history."""
    for path in sorted(files()):
        is_history = (
            path.startswith(("sql/migrations/", "tests/migrations/landed/", "changelog.d/")) or path == "CHANGELOG.md"
        )
        if path.endswith((".py", ".sql", ".md")) and not is_history:
            yield PROJECT / path


@pytest.mark.parametrize(
    "text",
    [
        "as `lineage_core.statements.unheard_of` does",
        "see lineage_core.no_such_module",
        "`statements.unheard_of` reads it",
        "`no_such_module.read` reads it",
        "in model/tables/no_such_table.py",
        "in sql/derive/no_such_derivation.sql",
        "by sql/no_such_folder/no_such_statement",
    ],
)
def test_what_is_gone_is_found(text: str) -> None:
    assert list(gone(text)) != []


@pytest.mark.parametrize(
    "text",
    [
        "`lineage_core.statements.named` and `statements.named`, `functools.cache` and `datasets.namespace_name`",
        "in model/tables/datasets.py, statements.py and sql/derive/datasets.sql, below sql/queries",
        "a file of `tables/`, `<table>.py`, sql/derive/*.sql, `publisher.json`",
    ],
)
def test_what_is_there_is_not_found(text: str) -> None:
    assert list(gone(text)) == []


def test_no_comment_and_no_page_names_what_is_gone() -> None:
    found = {str(path.relative_to(PROJECT)): sorted(set(gone(prose_of(path)))) for path in readable()}
    assert {path: names for path, names in found.items() if names} == {}
