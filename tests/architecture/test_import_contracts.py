"""Who may import whom: the contracts of .importlinter hold, and can fail."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lineage_core.settings import PROJECT, inherited_environment

ENTRY_POINTS = ("dags", "spark_jobs", "plugins")
FRAMEWORKS = ("psycopg", "sqlalchemy", "alembic", "pyspark", "airflow", "openlineage", "fastapi", "pyarrow", "fsspec")

PLANTS = {
    "the driver outside the store": ("model/folding.py", "import psycopg", "lineage_core.model.folding -> psycopg"),
    "Spark outside its adapter": ("postgres/leases.py", "import pyspark", "lineage_core.postgres.leases -> pyspark"),
    "Airflow outside its adapter": (
        "database/command.py",
        "import airflow",
        "lineage_core.database.command -> airflow",
    ),
    "Arrow outside of streams and archives": (
        "retention/archiving.py",
        "import pyarrow",
        "lineage_core.retention.archiving -> pyarrow",
    ),
    "file systems outside of files": ("changelog/parts.py", "import fsspec", "lineage_core.changelog.parts -> fsspec"),
    "a database below the rules of streams": (
        "changelog/layout.py",
        "import lineage_core.postgres.connection",
        "lineage_core.changelog.layout -> lineage_core.postgres.connection",
    ),
    "HTTP outside of the receiver": (
        "quarantine/store.py",
        "import fastapi",
        "lineage_core.quarantine.store -> fastapi",
    ),
    "the protocol of agents outside of its package": (
        "answers/graph/store.py",
        "import mcp",
        "lineage_core.answers.graph.store -> mcp",
    ),
    "a capability above": (
        "normalize/store/merging.py",
        "import lineage_core.long_migrations.workers",
        "lineage_core.normalize.store.merging -> lineage_core.long_migrations.workers",
    ),
    "a capability in the engine": (
        "spark/tasks.py",
        "import lineage_core.streams.publication",
        "lineage_core.spark.tasks -> lineage_core.streams.publication",
    ),
    "the registry below those that it lists": (
        "streams/operation.py",
        "import lineage_core.operate.whole_store",
        "lineage_core.streams.operation -> lineage_core.operate.whole_store",
    ),
    "a capability in what makes the store": (
        "database/store.py",
        "import lineage_core.streams.registry",
        "lineage_core.database.store -> lineage_core.streams.registry",
    ),
    "the checks of another capability": (
        "quarantine/operation.py",
        "import lineage_core.retention.operation",
        "lineage_core.quarantine.operation -> lineage_core.retention.operation",
    ),
    "an engine outside of a command": (
        "retention/application.py",
        "import lineage_core.spark.tasks",
        "lineage_core.retention.application -> lineage_core.spark.tasks",
    ),
    "the commands of another capability": (
        "retention/command.py",
        "import lineage_core.quarantine.command",
        "lineage_core.retention.command -> lineage_core.quarantine.command",
    ),
    "a capability beside": (
        "reading/facets.py",
        "import lineage_core.quarantine",
        "lineage_core.reading.facets -> lineage_core.quarantine",
    ),
    "a table of the model below the words of declarations": (
        "declare/tables.py",
        "import lineage_core.model.tables.runs",
        "lineage_core.declare.tables -> lineage_core.model.tables.runs",
    ),
    "a table that needs what its capability works with": (
        "retention/tables.py",
        "import lineage_core.postgres.connection",
        "lineage_core.retention.tables -> lineage_core.postgres.connection",
    ),
    "a renderer where nothing is made anew": (
        "streams/registry.py",
        "import lineage_core.render.ddl",
        "lineage_core.streams.registry -> lineage_core.render.ddl",
    ),
    "an import upwards": (
        "openlineage/identity.py",
        "import lineage_core.declare.tables",
        "lineage_core.openlineage.identity -> lineage_core.declare.tables",
    ),
}


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache", "--config", folder / ".importlinter"],
        cwd=folder,
        env=inherited_environment() | {"PYTHONPATH": str(folder / "src"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )


def _imported(path: Path) -> Iterator[str]:
    """The packages that a file imports, at any depth of it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_the_contracts_hold() -> None:
    done = _lint(PROJECT)
    assert done.returncode == 0, done.stdout


def test_every_planted_import_is_found_and_named_and_no_other(tmp_path: Path) -> None:
    shutil.copy(PROJECT / ".importlinter", tmp_path)
    shutil.copytree(PROJECT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for file, statement, _ in PLANTS.values():
        with (tmp_path / "src" / "lineage_core" / file).open("a") as planted:
            planted.write(f"\n{statement}\n")
    done = _lint(tmp_path)
    found = set(re.findall(r"^- +(\S+ -> \S+) \(", done.stdout, re.MULTILINE))
    assert done.returncode != 0
    assert {kind for kind, (*_, named) in PLANTS.items() if named not in found} == set()
    assert found - {named for *_, named in PLANTS.values()} == set()


@pytest.mark.parametrize("folder", ENTRY_POINTS)
def test_entry_points_import_neither_one_another_nor_what_they_do_not_need(folder: str) -> None:
    others = {*ENTRY_POINTS} - {folder}
    others |= {path.stem for other in others for path in (PROJECT / other).glob("*.py")} - {"lineage_core"}
    for path in (PROJECT / folder).rglob("*.py"):
        assert not set(_imported(path)) & {*others, "psycopg", "sqlalchemy"}, path


def test_the_domain_needs_no_framework() -> None:
    """What runs on every Spark worker and in every parse of a DAG loads none of them."""
    script = (
        "import sys, lineage_core.declare.streams, lineage_core.model.folding, lineage_core.render, lineage_core.cli;"
        f"print(sorted(set(sys.modules) & {set(FRAMEWORKS)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
