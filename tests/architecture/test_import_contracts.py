"""Who may import whom: the contracts of .importlinter hold, and can fail."""

from __future__ import annotations

import ast
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
    "Airflow outside its adapter": ("cli/db.py", "import airflow", "lineage_core.cli.db -> airflow"),
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
    "a capability above": (
        "normalize/store/merging.py",
        "import lineage_core.long_migrations.run",
        "lineage_core.normalize.store.merging -> lineage_core.long_migrations.run",
    ),
    "the registry below those that it lists": (
        "streams/checks/stream_root.py",
        "import lineage_core.operate.doctor",
        "lineage_core.streams.checks.stream_root -> lineage_core.operate.doctor",
    ),
    "a capability in what makes the store": (
        "database/store.py",
        "import lineage_core.streams.registry",
        "lineage_core.database.store -> lineage_core.streams.registry",
    ),
    "the checks of another capability": (
        "quarantine/checks/quarantined.py",
        "import lineage_core.retention.checks",
        "lineage_core.quarantine.checks.quarantined -> lineage_core.retention.checks",
    ),
    "a capability beside": (
        "reading/facets.py",
        "import lineage_core.quarantine",
        "lineage_core.reading.facets -> lineage_core.quarantine",
    ),
    "an import upwards": (
        "openlineage/identity.py",
        "import lineage_core.model.tables",
        "lineage_core.openlineage.identity -> lineage_core.model.tables",
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


@pytest.mark.parametrize("kind", PLANTS)
def test_a_planted_import_is_found_and_named(tmp_path: Path, kind: str) -> None:
    file, statement, named = PLANTS[kind]
    shutil.copy(PROJECT / ".importlinter", tmp_path)
    shutil.copytree(PROJECT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    planted = tmp_path / "src" / "lineage_core" / file
    planted.write_text(f"{planted.read_text()}\n{statement}\n")
    done = _lint(tmp_path)
    assert done.returncode != 0
    assert named in done.stdout


@pytest.mark.parametrize("folder", ENTRY_POINTS)
def test_entry_points_import_neither_one_another_nor_what_they_do_not_need(folder: str) -> None:
    others = {*ENTRY_POINTS} - {folder}
    others |= {path.stem for other in others for path in (PROJECT / other).glob("*.py")} - {"lineage_core"}
    for path in (PROJECT / folder).rglob("*.py"):
        assert not set(_imported(path)) & {*others, "psycopg", "sqlalchemy"}, path


def test_the_domain_needs_no_framework() -> None:
    """What runs on every Spark worker and in every parse of a DAG loads none of them."""
    script = (
        "import sys, lineage_core.model.tables, lineage_core.model.folding, lineage_core.render, lineage_core.cli;"
        f"print(sorted(set(sys.modules) & {set(FRAMEWORKS)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
