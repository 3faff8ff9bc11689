"""A real Airflow: its four processes, on a Postgres and a LINEAGE_HOME of their own."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lineage_core.database.store import upgrade
from lineage_core.local import postgres
from lineage_core.local.airflow import Airflow
from lineage_core.local.airflow_api import ENDED, AirflowApi
from lineage_core.local.airflow_environment import Surroundings
from lineage_core.local.airflow_logs import log_end
from lineage_core.local.java import java_home
from lineage_core.local.logins import Logins, upgrade_with_logins
from lineage_core.local.postgres import Server
from lineage_core.settings import ProjectSettings, inherited_environment

PATIENCE_SECONDS = 240.0


@dataclass(frozen=True)
class Platform:
    """What the tests talk to."""

    airflow: Airflow
    api: AirflowApi
    server: Server
    logins: Logins

    def state_at_end(self, dag: str, run: str) -> str:
        """Wait until a run has ended."""
        self.wait(lambda: self.api.run_state(dag, run) in ENDED, f"{dag} {run} to end")
        return self.api.run_state(dag, run)

    def log(self, dag: str, run: str) -> str:
        return log_end(self.airflow.home.logs, dag, run)

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s for {what}"
            time.sleep(0.5)


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform]:
    home = Path(tempfile.mkdtemp(prefix="lineage-airflow-test-"))
    home.chmod(0o711)
    server = postgres.start(home)
    airflow = Airflow.below(home)
    try:
        logins = Logins.of(ProjectSettings(dsn=None, ingest_dsn=None, home=home), server)
        upgrade(logins.owner, with_old_mapping=True)  # for the long migration that is tested here
        upgrade_with_logins(logins, server)
        search_path = inherited_environment()["PATH"]
        java = java_home(home, inherited_environment().get("JAVA_HOME"), search_path)
        api = airflow.start(
            Surroundings(home=home, logins=logins, server=server, java_home=java, search_path=search_path)
        )
        airflow.wait_until_healthy(lambda _: None)
        yield Platform(airflow, api, server, logins)
    finally:
        airflow.stop()
        postgres.stop_server(home)
        shutil.rmtree(home)
