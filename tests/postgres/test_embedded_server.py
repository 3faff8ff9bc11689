"""The embedded Postgres: starting, finding again, recovering, and keeping its passwords."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineage_core import statements
from lineage_core.errors import StoreUnavailable
from lineage_core.local import postgres
from lineage_core.local.postgres import Server

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture
def home() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="lineage-home-"))
    folder.chmod(0o711)
    yield folder
    postgres.stop_server(folder)
    shutil.rmtree(folder)


def _server_process(home: Path) -> psutil.Process:
    return psutil.Process(int((home / "postgres" / "data-18" / "postmaster.pid").read_text().splitlines()[0]))


def test_a_second_start_finds_the_running_server(home: Path) -> None:
    first = postgres.start(home)
    process = _server_process(home)
    assert postgres.start(home) == first
    assert _server_process(home) == process


def test_its_owner_sees_what_the_doctor_looks_for(home: Path) -> None:
    server = postgres.start(home)
    assert server.run_sql(statements.named("database/checks/sight"), postgres.DATABASE, postgres.ROLE) == ""


def test_the_address_and_the_data_outlive_a_stop(home: Path) -> None:
    first = postgres.start(home)
    first.run_sql("CREATE TABLE kept AS SELECT 7 AS number;", "lineage", "lineage")
    assert postgres.stop_server(home)
    assert postgres.running(home) is None
    second = postgres.start(home)
    assert second.dsn() == first.dsn()
    assert second.run_sql("SELECT number FROM kept;", "lineage", "lineage").strip() == "7"


def test_a_killed_server_is_started_again(home: Path) -> None:
    postgres.start(home)
    process = _server_process(home)
    process.send_signal(signal.SIGKILL)
    while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
        time.sleep(0.02)
    assert postgres.running(home) is None
    assert postgres.start(home).run_sql("SELECT 1;").strip() == "1"


def test_a_pid_file_that_names_another_process_is_stale(home: Path) -> None:
    postgres.start(home)
    pid_file = home / "postgres" / "data-18" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    postgres.stop_server(home)
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    assert postgres.running(home) is None
    assert postgres.start(home).run_sql("SELECT 1;").strip() == "1"


def test_a_taken_port_is_no_failure(home: Path) -> None:
    first = postgres.start(home)
    postgres.stop_server(home)
    with socket.create_server(("127.0.0.1", first.port)):
        second = postgres.start(home)
        assert second.port != first.port
        assert second.run_sql("SELECT 1;").strip() == "1"


def test_stopping_what_does_not_run_is_reported(home: Path) -> None:
    assert not postgres.stop_server(home)
    postgres.start(home)
    assert postgres.stop_server(home)
    assert not postgres.stop_server(home)


def test_no_password_stands_in_an_address_and_the_file_of_passwords_is_closed(home: Path) -> None:
    server = postgres.start(home)
    assert server.password("lineage") not in server.dsn()
    assert stat.S_IMODE(server.passfile.stat().st_mode) == 0o600


def test_a_wrong_password_is_refused(home: Path) -> None:
    server = postgres.start(home)
    text = server.passfile.read_text()
    server.passfile.write_text(text.replace(server.password("lineage"), "wrong"))
    with pytest.raises(StoreUnavailable, match="password authentication failed"):
        server.run_sql("SELECT 1;", "lineage", "lineage")


def test_the_role_of_the_store_is_no_superuser(postgres_server: Server) -> None:
    answer = postgres_server.run_sql("SELECT rolsuper FROM pg_roles WHERE rolname = 'lineage';")
    assert answer.strip() == "f"


def test_a_role_of_any_name_gets_a_database_of_any_name(postgres_server: Server) -> None:
    role, database = 'o\'brien "x"', 'a "quoted" name'
    postgres_server.ensure_role(role)
    postgres_server.ensure_role(role)
    postgres_server.ensure_database(database, role)
    postgres_server.ensure_database(database, role)
    owners = postgres_server.run_sql("SELECT pg_get_userbyid(datdba) || ':' || datname FROM pg_database;")
    assert f"{role}:{database}" in owners.splitlines()
    postgres_server.run_sql('DROP DATABASE "a ""quoted"" name"; DROP ROLE "o\'brien ""x""";')


def test_the_asked_version_is_served(postgres_server: Server, pytestconfig: pytest.Config) -> None:
    version = int(postgres_server.run_sql("SHOW server_version_num;").strip()) // 10_000
    assert version == pytestconfig.getoption("--postgres")
