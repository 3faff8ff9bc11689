"""A real Airflow: its four processes, on a Postgres and a LINEAGE_HOME of their own."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from psycopg.conninfo import conninfo_to_dict

from lineage_core.local import airflow as local_airflow
from lineage_core.local import postgres
from lineage_core.local.airflow import Airflow
from lineage_core.local.airflow_api import ENDED, AirflowApi, log_end
from lineage_core.local.airflow_environment import USER, AirflowHome, Surroundings, environment
from lineage_core.local.java import java_home, make_class_archive
from lineage_core.local.logins import GROUPS, Logins, upgrade_with_logins
from lineage_core.local.ports import HOST
from lineage_core.local.postgres import Server
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from lineage_core.settings import ProjectSettings, inherited_environment
from tests.support.command_lines import seen_command_lines
from tests.support.how_tos import lines_for
from tests.support.servers import reachable_folder
from tests.support.statsd import StatsD

PATIENCE_SECONDS = 240.0


@dataclass(frozen=True)
class Platform:
    """What the tests talk to."""

    airflow: Airflow
    api: AirflowApi
    server: Server
    logins: Logins
    secrets: tuple[str, ...]
    """All that processes take and no one else is to see."""
    command_lines: set[str]
    """Of all processes that were seen while Airflow ran."""
    statsd: StatsD

    def state_at_end(self, dag: str, run: str) -> str:
        """Wait until a run has ended."""
        self.wait(lambda: self.api.run_state(dag, run) in ENDED, f"{dag} {run} to end")
        return self.api.run_state(dag, run)

    def query_airflow(self, query: str) -> str:
        """What Airflow's own database answers."""
        return self.server.run_sql(query, "airflow", "airflow").strip()

    def log(self, dag: str, run: str) -> str:
        return log_end(self.airflow.home.logs, dag, run)

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s for {what}"
            time.sleep(0.5)


PLANTED = {"password": "planted-in-a-password", "extra_secret": "planted-in-an-extra"}
"""Secrets of connections, which are found as they are wherever they are reported."""


RARELY_PARSED = {"AIRFLOW__DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "600"}
"""No test changes a DAG, and to parse each twice a minute would be a tenth of what all tests of Airflow cost."""


VIEWER = "onlooker"
VIEWER_TOO = {"AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_USERS": f"{USER}:admin,{VIEWER}:viewer"}
"""A user of Airflow's pages who may only look. Airflow adds the password to its file."""


def with_passwords(server: Server, logins: Logins) -> Logins:
    """The same logins, each with its password in the DSN, as somebody may give it."""

    def with_password(dsn: str) -> str:
        parts = conninfo_to_dict(dsn)
        login = str(parts["user"])
        return f"postgresql://{login}:{quote(server.password(login))}@{HOST}:{server.port}/{parts['dbname']}"

    return Logins(**{part: with_password(dsn) for part, dsn in vars(logins).items()})


SPARK = "AIRFLOW_CONN_SPARK_DEFAULT"


def planted(variables: dict[str, str]) -> dict[str, str]:
    """The variables, with secrets in each connection of Airflow. That to Spark is kept in Airflow's database, where a
    test can change it."""
    found = {name: value for name, value in variables.items() if name != SPARK}
    for name in (name for name in found if name.startswith("AIRFLOW_CONN_")):
        found[name] = json.dumps(with_secrets(json.loads(found[name])))
    return found


def with_secrets(connection: dict[str, Any]) -> dict[str, Any]:
    extra = connection["extra"] | {"extra_secret": PLANTED["extra_secret"]}
    return connection | {"password": PLANTED["password"], "extra": extra}


def add_spark(api: AirflowApi, home: AirflowHome, surroundings: Surroundings) -> None:
    """The connection as the demo has it."""
    connection = with_secrets(json.loads(environment(home, surroundings, api.port)[SPARK]))
    body = connection | {"connection_id": "spark_default", "extra": json.dumps(connection["extra"])}
    api._call("POST", "/api/v2/connections", body)


def teed(variables: dict[str, str], port: int, token: str) -> dict[str, str]:
    """The variables, with which each event goes to the receiver of this Airflow, too, as the how-to has it."""
    teed = lines_for("airflow", f"http://{HOST}:{port}", token)
    http = json.loads(teed.partition("'")[2].rpartition("'")[0])
    http["endpoint"] = f"lineage/{http['endpoint']}"
    transport = "AIRFLOW__OPENLINEAGE__TRANSPORT"
    both = {"store": json.loads(variables[transport]), "receiver": http}
    return variables | {transport: json.dumps({"type": "composite", "transports": both})}


@pytest.fixture(scope="session")
def platform() -> Iterator[Platform]:
    statsd = StatsD()
    # Only our own figures, as the socket has no room for all of Airflow's until somebody reads them.
    figures = statsd.settings | {"AIRFLOW__METRICS__METRICS_ALLOW_LIST": "lineage"}
    tokens: list[str] = []

    def environment_of_test(home: AirflowHome, surroundings: Surroundings, port: int) -> dict[str, str]:
        variables = teed(planted(environment(home, surroundings, port)), port, tokens[0])
        return variables | figures | VIEWER_TOO | RARELY_PARSED

    patch = pytest.MonkeyPatch()
    patch.setattr(local_airflow, "environment", environment_of_test)
    with seen_command_lines() as command_lines:
        yield from _platform(statsd, command_lines, tokens)
    patch.undo()
    statsd.close()


def _platform(statsd: StatsD, command_lines: set[str], tokens: list[str]) -> Iterator[Platform]:
    home = reachable_folder()
    server = postgres.start(home)
    airflow = Airflow.below(home)
    try:
        logins = Logins.of(ProjectSettings(dsn=None, ingest_dsn=None, home=home), server)
        upgrade(Store(logins.owner), with_old_mapping=True)  # for the long migration that is tested here
        upgrade_with_logins(logins, server)
        logins = with_passwords(server, logins)
        tokens.append(create_token(Store(logins.owner), "this Airflow", ["airflow"], None).text)
        search_path = inherited_environment()["PATH"]
        java = java_home(home, inherited_environment().get("JAVA_HOME"), search_path)
        make_class_archive(home)  # of tens of runs of Spark, each starts with half the work
        surroundings = Surroundings(home=home, logins=logins, server=server, java_home=java, search_path=search_path)
        api = airflow.start(surroundings)
        airflow.wait_until_healthy(lambda _: None)
        add_spark(api, airflow.home, surroundings)
        yield Platform(airflow, api, server, logins, (*_secrets(airflow, server), *tokens), command_lines, statsd)
    finally:
        airflow.stop()
        postgres.stop_server(home)
        shutil.rmtree(home)


def _secrets(airflow: Airflow, server: Server) -> tuple[str, ...]:
    logins = (server.password(login) for login in ("postgres", "lineage", "airflow", *GROUPS))
    keys = (airflow.home.secret(file) for file in ("fernet-key", "jwt-secret", "api-secret-key"))
    return (*logins, *keys, airflow.home.password(), *PLANTED.values())
