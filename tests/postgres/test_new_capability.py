"""A capability to come is a package, a DAG, a job and a line of `capabilities.py`: all else finds it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

LINE = "from lineage_core.tides import CAPABILITY as TIDES\n"
BESIDE, LAYER = "| streams | transport\n", "| streams | tides | transport\n"
"""Its place in `.importlinter`, beside others that do not know each other."""

ROOM: Mapping[str, str] = {
    "__init__.py": '''"""Tides."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.tides import command

    return command


def _operation() -> ModuleType:
    from lineage_core.tides import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
''',
    "tables.py": '''"""The table of tides."""

from __future__ import annotations

from lineage_core.declare.vocabulary import BIGINT, KEY, PLATFORM, TEXT, Column, Table

TIDES = Table(
    name="tides",
    doc="How high the sea stands.",
    columns=(
        Column("harbour", TEXT, KEY, "Where.", nullable=False),
        Column("centimetres", BIGINT, PLATFORM, "How high.", nullable=False),
    ),
    primary_key=("harbour",),
)
''',
    "sql/tides.sql": """-- name: views/high_tides
-- Harbours where the sea stands high.
-- readers: sailors
-- reads: tides
CREATE VIEW high_tides AS
SELECT harbour FROM tides WHERE centimetres > 400;

COMMENT ON VIEW high_tides IS 'Harbours where the sea stands high.';

-- name: known
-- How many harbours are known.
SELECT count(*) FROM tides

-- name: checks/high_tides
-- Harbours where the sea stands high, a sentence each.
SELECT format('The sea stands high in %s', harbour) FROM high_tides

-- name: first
-- The first harbour, unless it is known.
INSERT INTO tides (harbour, centimetres) VALUES ('Cuxhaven', 500) ON CONFLICT DO NOTHING
""",
    "operation.py": '''"""What operators ask of tides. An upgrade adds the first."""

from __future__ import annotations

from lineage_core.capability import HealthCheck, StatusTopic, UpgradeStep, by_statement
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import execute, one_value

HIGH_TIDES = HealthCheck("high_tides", by_statement("tides/checks/high_tides"), "Wait for six hours.")
KNOWN = StatusTopic(
    "tides",
    95,
    lambda asked: one_value(asked.connection, int, "tides/known"),
    lambda found, _now: [("tides", f"{found} harbours")],
)


def _add_first(connection: Connection) -> list[str]:
    return ["The first harbour is added."] * execute(connection, "tides/first")


FIRST = UpgradeStep(bring_up_to_date=_add_first)
''',
    "command.py": '''"""`lineage tides`."""

from __future__ import annotations

import typer

from lineage_core.command_line.groups import Panel
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.READ)(tides)


@leaves(NOTHING_CHANGED)
def tides() -> None:
    """Count the harbours whose tides are known."""
    from lineage_core.postgres.typed_rows import one_value

    with chosen_store().session("lineage_reader") as connection:
        typer.echo(one_value(connection, int, "tides/known"))
''',
}

JOB = """from lineage_core.cli import main_of_job

main_of_job(["tides"])
"""

DAG = """from datetime import UTC, datetime

from airflow.sdk import DAG

from lineage_core.airflow.submit_operator import SubmitJobOperator

with DAG(dag_id="tides", schedule=None, start_date=datetime(2026, 1, 1, tzinfo=UTC)):
    SubmitJobOperator(task_id="count", job="tides")
"""

PARSED = """from airflow.dag_processing.dagbag import DagBag

bag = DagBag("dags")
assert not bag.import_errors, bag.import_errors
print([task.application for dag in bag.dags.values() for task in dag.tasks])
"""
"""Shows the job that each task of each DAG submits."""


@dataclass(frozen=True)
class Copy:
    """A copy of the project, and a store for it."""

    folder: Path
    store: Store

    def lineage(self, *words: str) -> str:
        """What the command of these words prints."""
        return self.run("-c", "from lineage_core.cli import main; main()", *words)

    def run(self, *words: str | Path) -> str:
        """What a program of Python prints, also if it ends with 1, as `lineage doctor` does after a fault."""
        environment = inherited_environment() | {
            "PYTHONPATH": str(self.folder / "src"),
            "LINEAGE_DSN": self.store.dsn,
            "LINEAGE_HOME": str(self.folder / "home"),
            "COLUMNS": "200",
        }
        done = subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode in (0, 1), done.stderr
        return done.stdout + done.stderr


@pytest.fixture
def copy(tmp_path: Path, database: Store) -> Copy:
    for folder in ("src", "sql", "docs"):
        shutil.copytree(PROJECT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "src" / "lineage_core"
    for name, text in ROOM.items():
        file = package / "tides" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    for folder, text in (("dags", DAG), ("spark_jobs", JOB)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tides.py").write_text(text)
    listed = (package / "capabilities.py").read_text()
    last = "from lineage_core.local import CAPABILITY as LOCAL\n"
    assert last in listed
    (package / "capabilities.py").write_text(listed.replace(last, last + LINE))
    contracts = (PROJECT / ".importlinter").read_text()
    assert BESIDE in contracts
    (tmp_path / ".importlinter").write_text(contracts.replace(BESIDE, LAYER))
    return Copy(tmp_path, database)


def test_its_files_and_a_line_are_all_that_a_capability_needs(copy: Copy) -> None:
    assert "Count the harbours" in copy.lineage("--help")

    migrations = copy.folder / "sql" / "migrations"
    number = len(list(migrations.glob("*.sql"))) + 1
    (migrations / f"{number:04}_keep_tides.sql").write_text(copy.lineage("sql", "--table", "tides"))
    rendered = copy.lineage("sql").splitlines()
    assert {"docs/tables.md", "docs/views.md", "src/lineage_core/postgres/sql/access/grants.sql"} <= {*rendered}
    grants = (copy.folder / "src" / "lineage_core" / "postgres" / "sql" / "access" / "grants.sql").read_text()
    assert "GRANT INSERT, UPDATE, DELETE ON public.tides TO lineage_jobs;" in grants
    assert "GRANT SELECT ON public.high_tides TO" in grants

    assert "tides" in copy.lineage("db", "check")
    assert "The first harbour is added." in copy.lineage("db", "upgrade")
    assert copy.lineage("db", "check") == "The store is what the declarations say.\n"

    assert copy.lineage("status").splitlines()[-1] == "tides          1 harbours"
    found = {one["check"]: one["what"] for one in json.loads(copy.lineage("doctor", "--json"))}
    assert found["high_tides"] == "The sea stands high in Cuxhaven"
    job = copy.folder / "spark_jobs" / "tides.py"
    assert copy.run(job) == "1\n"
    assert copy.run("-c", PARSED).splitlines()[-1] == str([str(job)])


def test_its_place_among_the_layers_is_the_other_line(copy: Copy) -> None:
    lint = Path(sys.executable).with_name("lint-imports")
    config = copy.folder / ".importlinter"
    assert "16 kept, 0 broken" in copy.run(lint, "--no-cache", "--config", config)
    config.write_text((PROJECT / ".importlinter").read_text())
    assert "tides" in copy.run(lint, "--no-cache", "--config", config)
