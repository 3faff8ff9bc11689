"""docs/how-to/install.md, tried in an empty folder with an Airflow of its own, ends with a green `lineage doctor`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lineage_core.local import postgres
from lineage_core.local.ports import HOST, remembered_port
from lineage_core.processes import end_processes, family
from lineage_core.settings import inherited_environment
from tests.support.how_tos import blocks
from tests.support.servers import reachable_folder

pytestmark = [pytest.mark.airflow, pytest.mark.spark, pytest.mark.long]

PATIENCE_SECONDS = 300.0
STORE, SETTINGS, PREPARE, START, UNPAUSE, FIRST_RUN = blocks("../install")[1:7]
DATABASE = "export LINEAGE_DSN=postgresql://owner@db.example/lineage\n"
EMBEDDED = "# or:  "


@dataclass(frozen=True)
class Machine:
    """An empty folder, in which somebody types what the page says."""

    home: Path
    environment: dict[str, str]

    def type(self, lines: str, settings: str = SETTINGS) -> str:
        """What the lines print; the address and the settings come before them, as in any shell of that person."""
        script = "".join((self.address, settings, lines))
        command = ["sh", "-ec", script]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @property
    def address(self) -> str:
        """The line for an embedded Postgres, as the page has it."""
        return next(line.removeprefix(EMBEDDED) + "\n" for line in STORE.splitlines() if line.startswith(EMBEDDED))

    def start(self) -> subprocess.Popen[bytes]:
        with (self.home / "airflow.log").open("wb") as log:
            command = ["sh", "-ec", "".join((self.address, SETTINGS, "exec ", START))]
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)


@pytest.fixture
def machine() -> Iterator[Machine]:
    home = reachable_folder()
    port = remembered_port(home / "port")
    address = f"http://{HOST}:{port}"
    inherited = {name: value for name, value in inherited_environment().items() if not name.startswith("AIRFLOW")}
    inherited.pop("LINEAGE_DSN", None)
    environment = inherited | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), inherited["PATH"]]),
        "HOME": str(home),
        "LINEAGE_HOME": str(home / "lineage"),
        # Other tests may have Airflow's own port.
        "AIRFLOW__API__PORT": str(port),
        "AIRFLOW__API__BASE_URL": address,
        "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{address}/execution/",
        # The examples of Airflow take a minute to read.
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
    }
    (home / "lineage").mkdir(mode=0o755)
    yield Machine(home, environment)
    postgres.stop_server(home / "lineage")
    shutil.rmtree(home)


def test_the_page_ends_with_a_green_doctor(machine: Machine) -> None:
    assert DATABASE in STORE
    assert "checks found nothing" in machine.type(STORE.replace(DATABASE, ""), settings="")
    machine.type(PREPARE)
    airflow = machine.start()
    try:
        wait(lambda: "normalize_lineage" in machine.type("airflow dags list\n"), "the DAGs")
        machine.type(UNPAUSE)
        first, _, look = FIRST_RUN.partition("lineage search")
        machine.type(first)
        search = "lineage search" + look.splitlines()[0] + "\n"
        wait(lambda: "first" in machine.type(search), "the first run")
        # The events of the run's own end come a moment after it, by the spool if the server is busy.
        wait(lambda: "checks found nothing" in machine.type("lineage doctor || true\n"), "a green doctor")
    finally:
        end_processes(lambda: family(airflow.pid), 15.0)
        airflow.wait()


def wait(is_so: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s for {what}"
        time.sleep(2)
