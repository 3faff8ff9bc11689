"""The wheel, installed outside of any checkout: it holds all that runs, and the commands work with nothing else.

What it requires is lent by the environment of the tests, but for the project itself.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.testing import TIME, dataset, run_event, to_ndjson
from tests.support.stores import rows

FOLDERS = {"src/lineage_core": "lineage_core"} | {
    folder: f"lineage_core/{folder}" for folder in ("sql", "dags", "spark_jobs", "plugins")
}
"""Folder of the checkout to folder of the wheel."""

OF_OTHER_SPARKS = {"PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"}
"""What a Spark of other tests has exported; by it the tasks would find the checkout."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    alone = ["--no-build-isolation", "--no-deps", "--no-index"]
    _run([sys.executable, "-m", "pip", "wheel", *alone, "--wheel-dir", folder, PROJECT])
    (built,) = folder.glob("*.whl")
    return built


@dataclass(frozen=True)
class Installation:
    """An environment that has the wheel, and an empty folder to work in."""

    environment: Path
    folder: Path

    @property
    def package(self) -> Path:
        return next(self.environment.glob("lib/python*/site-packages")) / "lineage_core"

    def lineage(self, *words: str | Path, **variables: str) -> str:
        return self._run("lineage", *words, **variables)

    def python(self, program: str, **variables: str) -> str:
        return self._run("python", "-c", program, **variables)

    def _run(self, program: str, *words: str | Path, **variables: str) -> str:
        inherited = {name: value for name, value in inherited_environment().items() if name not in OF_OTHER_SPARKS}
        home = {"HOME": str(self.folder), "PYTHONPATH": ""}
        return _run([self.environment / "bin" / program, *words], self.folder, inherited | home | variables)


@pytest.fixture(scope="module")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    environment = tmp_path_factory.mktemp("environment")
    _run([sys.executable, "-m", "venv", "--without-pip", environment])
    into: list[str | Path] = ["--python", environment / "bin" / "python"]
    _run([sys.executable, "-m", "pip", *into, "install", "--no-deps", "--no-index", wheel])
    made = Installation(environment, tmp_path_factory.mktemp("elsewhere"))
    # Only the folder itself: what its own .pth files name, the checkout among them, is not looked at.
    made.package.with_name("lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return made


def _run(command: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def _files(folder: Path) -> Iterator[str]:
    return (str(path.relative_to(folder)) for path in folder.rglob("*") if _is_ours(path))


def _is_ours(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


def test_the_wheel_holds_the_files_of_each_folder_that_runs_and_no_others(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = {f"{inside}/{name}" for folder, inside in FOLDERS.items() for name in _files(PROJECT / folder)}
    assert held == wanted
    assert {"lineage_core/sql/migrations/0001_create_the_store.sql", "lineage_core/spark/log4j2.properties"} <= held


def test_the_lock_has_what_the_wheel_requires(wheel: Path) -> None:
    pinned = dict(re.findall(r"^(\S+)==(\S+)$", (PROJECT / "requirements.txt").read_text(), re.MULTILINE))
    archive = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    required = [Requirement(line) for line in message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])]
    assert {"psycopg", "pyspark", "apache-airflow"} <= {requirement.name for requirement in required}
    assert [str(each) for each in required if not each.specifier.contains(pinned.get(each.name, ""))] == []


def test_nothing_of_the_checkout_is_found(installation: Installation) -> None:
    found = installation.python("import sys, lineage_core; print(lineage_core.__file__, *sys.path, sep='\\n')")
    first, *searched = found.splitlines()
    assert first == str(installation.package / "__init__.py")
    assert {str(PROJECT), str(PROJECT / "src")}.isdisjoint(searched)


def test_paths_lead_into_the_package(installation: Installation) -> None:
    paths = dict(line.split(maxsplit=1) for line in installation.lineage("paths").splitlines())
    assert paths == {name: str(installation.package / name) for name in ("dags", "spark_jobs", "plugins", "sql")}
    assert installation.lineage("paths", "dags") == f"{installation.package / 'dags'}\n"
    assert all(Path(path).is_dir() for path in paths.values())


def test_what_a_machine_keeps_is_in_the_home_of_its_user(installation: Installation) -> None:
    program = "from lineage_core.settings import ProjectSettings; print(ProjectSettings.from_environment().home)"
    assert installation.python(program) == f"{installation.folder / '.lineage'}\n"


def test_the_sql_of_an_installation_is_not_rendered_anew(installation: Installation) -> None:
    with pytest.raises(AssertionError, match="run it in a checkout"):
        installation.lineage("sql", "--check")


def test_airflow_finds_the_dags_and_they_their_jobs(installation: Installation) -> None:
    program = (
        "import json; from airflow.dag_processing.dagbag import DagBag; from lineage_core.settings import PROJECT;"
        "bag = DagBag(str(PROJECT / 'dags'));"
        "tasks = [task for dag in bag.dags.values() for task in dag.tasks];"
        "jobs = sorted({task.application for task in tasks if hasattr(task, 'application')});"
        "print(json.dumps([bag.import_errors, sorted(bag.dags), jobs]))"
    )
    errors, dags, jobs = json.loads(installation.python(program).splitlines()[-1])
    assert errors == {}
    assert {"normalize_lineage", "migrate_facets", "migrate_schema_versions"} <= set(dags)
    assert {Path(job).parent for job in jobs} == {installation.package / "spark_jobs"}
    assert all(Path(job).is_file() for job in jobs)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.spark
def test_the_commands_work(installation: Installation, empty_database: Store) -> None:
    events = installation.folder / "events.ndjson"
    event = run_event("COMPLETE", time=TIME, outputs=[dataset(fields=[("id", "INT")])])
    events.write_bytes(to_ndjson([event]))
    for words in (
        ["db", "upgrade", "--with-old-mapping"],
        ["db", "check"],
        ["ingest", str(events)],
        ["migration", "plan", "facets"],
        ["migration", "plan", "schema-versions"],
        ["normalize", "--master", "local[1]"],
    ):
        installation.lineage(*words, LINEAGE_DSN=empty_database.dsn)
    assert rows(empty_database, "SELECT name FROM datasets") == [("public.orders",)]
    states = json.loads(installation.lineage("migration", "status", "--json", LINEAGE_DSN=empty_database.dsn))
    assert {state["name"]: state["state"] for state in states} == {"facets": "planned", "schema-versions": "planned"}
