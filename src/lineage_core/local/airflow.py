"""Airflow on this machine: its metadata database made ready, its four processes started, found again, and stopped.

Four processes, not `airflow standalone`: that one ends without its children when it gets a signal.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from lineage_core.errors import NeedsOperator
from lineage_core.local import services
from lineage_core.local.airflow_api import AirflowApi
from lineage_core.local.airflow_environment import DATABASE, POOL, ROLE, USER, AirflowHome, Surroundings, environment
from lineage_core.local.home import write_secret
from lineage_core.local.ports import HOST, remembered_port
from lineage_core.local.postgres import Server
from lineage_core.local.services import Service
from lineage_core.settings import inherited_environment

COMMANDS = {
    "api-server": ("api-server",),
    "scheduler": ("scheduler", "--skip-serve-logs"),
    "dag-processor": ("dag-processor",),
    "triggerer": ("triggerer", "--skip-serve-logs"),
}
"""The log servers are skipped: all logs are on this machine, and their fixed ports may be taken."""

FOREIGN = ("AIRFLOW", "OPENLINEAGE", "SPARK_", "PYSPARK_", "PYTHONPATH")
"""Variables of our caller that would make these processes somebody else's."""

START_SECONDS = 180.0


@dataclass(frozen=True)
class Airflow:
    """The Airflow below one LINEAGE_HOME."""

    home: AirflowHome

    @classmethod
    def below(cls, home: Path) -> Airflow:
        return cls(AirflowHome(path=home / "airflow"))

    @property
    def services(self) -> list[Service]:
        return [Service(name, (_program(), *words), self.home.path) for name, words in COMMANDS.items()]

    def is_running(self) -> bool:
        """Whether all four processes live."""
        return all(service.process() is not None for service in self.services)

    def runs_in_part(self) -> bool:
        """Whether any of them lives: another may have died."""
        return any(service.process() is not None for service in self.services)

    def start(self, surroundings: Surroundings) -> AirflowApi:
        """Start what does not run; all anew if the running ones were started for other surroundings."""
        if not self._runs_with(surroundings):
            self.stop()
            self.home.logs.mkdir(parents=True, exist_ok=True)
            wanted = environment(self.home, surroundings, remembered_port(self.home.port_file))
            self._prepare(wanted, surroundings.server)
            for service in self.services:
                service.start(_inherited() | wanted)
        return self.api()

    def _runs_with(self, surroundings: Surroundings) -> bool:
        running = self.is_running()
        return running and environment(self.home, surroundings, self.home.port()) == self.environment()

    def api(self) -> AirflowApi:
        return AirflowApi(self.home.port(), USER, self.home.password())

    def wait_until_healthy(self, show: Callable[[str], None]) -> None:
        """Wait for all parts; a process that ends meanwhile is an error that shows the end of its log."""
        api, deadline = self.api(), time.monotonic() + START_SECONDS
        while missing := api.unhealthy_parts():
            show("waiting for " + ", ".join(missing))
            self.refuse_ended_processes()
            if time.monotonic() > deadline:
                raise NeedsOperator(
                    f"Airflow is not healthy after {START_SECONDS:.0f} s: {missing}. See {self.home.logs}."
                )
            time.sleep(0.3)
        api.ensure_pool(POOL, 1, "One normalization at a time.")

    def refuse_ended_processes(self) -> None:
        """An error with the end of its log if one of the four processes has ended."""
        for service in self.services:
            if service.process() is None:
                raise NeedsOperator(f"Airflow's {service.name} ended. The end of {service.log}:\n{service.log_end()}")

    def stop(self) -> bool:
        """Stop all four processes and what they started; False if none ran."""
        return services.stop_services(self.services)

    def environment(self) -> dict[str, str]:
        """The variables that the processes were last started with."""
        file = self._environment_file
        return dict(json.loads(file.read_text())) if file.exists() else {}

    def command(self, words: list[str]) -> int:
        """Run an `airflow` command as the processes would, for a person; gives its exit code."""
        if not self.environment():
            raise NeedsOperator("Airflow was never started here; run `make demo` first.")
        return subprocess.run([_program(), *words], env=_inherited() | self.environment(), check=False).returncode  # noqa: S603

    @property
    def _environment_file(self) -> Path:
        return self.home.path / "environment.json"

    def _prepare(self, wanted: dict[str, str], server: Server) -> None:
        self.home.password()
        write_secret(self._environment_file, json.dumps(wanted, indent=1))
        server.ensure_role(ROLE)
        server.ensure_database(DATABASE, ROLE)
        self._migrate(wanted, server)

    def _migrate(self, wanted: dict[str, str], server: Server) -> None:
        """Bring Airflow's database up to this Airflow, once for each version and each data folder of Postgres."""
        done = self.home.path / "migrated"
        cluster = server.run_sql("SELECT system_identifier FROM pg_control_system();")
        state = f"{version('apache-airflow')} {cluster}"
        if done.exists() and done.read_text() == state:
            return
        with (self.home.logs / "migrate.log").open("wb") as log:
            command = [_program(), "db", "migrate"]
            code = subprocess.run(command, env=_inherited() | wanted, stdout=log, stderr=log, check=False).returncode  # noqa: S603
        if code != 0:
            raise NeedsOperator(f"`airflow db migrate` failed; see {log.name}.")
        done.write_text(state)


def _program() -> str:
    return str(Path(sys.executable).with_name("airflow"))


def _inherited() -> dict[str, str]:
    """Our environment, without what would make the processes somebody else's, and with no proxy between them."""
    kept = {name: value for name, value in inherited_environment().items() if not name.startswith(FOREIGN)}
    direct = ",".join(filter(None, (kept.get("NO_PROXY") or kept.get("no_proxy"), HOST)))
    return kept | {"NO_PROXY": direct, "no_proxy": direct}
