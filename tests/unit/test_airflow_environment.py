"""The environment of Airflow's processes: secrets that stay, addresses without passwords, one port everywhere."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from lineage_core.local.airflow_environment import AirflowHome, Surroundings, environment
from lineage_core.local.logins import Logins
from lineage_core.local.postgres import Server

PORT = 8123
OWNER, INGEST, JOBS, READER = (f"postgresql://{login}@host/store" for login in ("owner", "ingest", "jobs", "reader"))


@pytest.fixture
def airflow_home(tmp_path: Path) -> AirflowHome:
    return AirflowHome(path=tmp_path / "airflow")


@pytest.fixture
def surroundings(tmp_path: Path) -> Surroundings:
    server = Server(tmp_path / "bin", 5599, tmp_path / "pgpass")
    logins = Logins(owner=OWNER, ingest=INGEST, jobs=JOBS, reader=READER)
    return Surroundings(
        home=tmp_path, logins=logins, server=server, java_home=tmp_path / "java", search_path="/usr/bin"
    )


def test_secrets_are_made_up_once(airflow_home: AirflowHome, surroundings: Surroundings, tmp_path: Path) -> None:
    first = environment(airflow_home, surroundings, PORT)
    assert environment(airflow_home, surroundings, PORT) == first
    other = environment(AirflowHome(path=tmp_path / "other"), surroundings, PORT)
    for name in ("AIRFLOW__CORE__FERNET_KEY", "AIRFLOW__API_AUTH__JWT_SECRET", "AIRFLOW__API__SECRET_KEY"):
        assert other[name] != first[name]


def test_the_fernet_key_is_one(airflow_home: AirflowHome, surroundings: Surroundings) -> None:
    key = environment(airflow_home, surroundings, PORT)["AIRFLOW__CORE__FERNET_KEY"]
    assert len(base64.urlsafe_b64decode(key)) == 32


def test_no_address_holds_a_password(airflow_home: AirflowHome, surroundings: Surroundings) -> None:
    password = surroundings.server.password("airflow")
    assert password not in json.dumps(environment(airflow_home, surroundings, PORT))


def test_each_part_has_a_login_of_its_own(airflow_home: AirflowHome, surroundings: Surroundings) -> None:
    variables = environment(airflow_home, surroundings, PORT)
    assert variables["LINEAGE_DSN"] == JOBS
    assert variables["LINEAGE_INGEST_DSN"] == INGEST
    assert variables["LINEAGE_READER_DSN"] == READER
    assert not any(OWNER in value for value in variables.values())


def test_the_port_is_the_same_wherever_it_is_stated(airflow_home: AirflowHome, surroundings: Surroundings) -> None:
    variables = environment(airflow_home, surroundings, PORT)
    assert variables["AIRFLOW__API__PORT"] == str(PORT)
    for name in ("AIRFLOW__API__BASE_URL", "AIRFLOW__CORE__EXECUTION_API_SERVER_URL"):
        assert f"127.0.0.1:{PORT}" in variables[name]


def test_our_programs_come_first(airflow_home: AirflowHome, surroundings: Surroundings, tmp_path: Path) -> None:
    path = environment(airflow_home, surroundings, PORT)["PATH"].split(":")
    assert path[-2:] == [str(tmp_path / "java" / "bin"), "/usr/bin"]


def test_the_password_of_the_pages_stays(airflow_home: AirflowHome) -> None:
    password = airflow_home.password()
    assert airflow_home.password() == password
    assert json.loads(airflow_home.passwords.read_text()) == {"admin": password}
