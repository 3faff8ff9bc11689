"""The login that the profile `marquez` of docker-compose.yaml makes: what Marquez' server needs, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import InsufficientPrivilege

from lineage_core.errors import StoreUnavailable
from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, run_event
from tests.postgres.test_marquez_writes import REFUSED, START
from tests.support.compose_scripts import Container
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

SECRET, OTHER_SECRET = "a-Secret_1", "another-Secret_2"

Made = Callable[[str], Store]
"""The store by the login that the script makes with a password, run by the owner."""


@pytest.fixture
def made(tmp_path: Path, postgres_server: Server, database: Store) -> Iterator[Made]:
    address = {name: str(value) for name, value in conninfo_to_dict(database.dsn).items()}
    variables = {
        "PGHOST": address["host"],
        "PGPORT": address["port"],
        "PGUSER": address["user"],
        "PGDATABASE": address["dbname"],
        "PATH": f"{postgres_server.programs}:/usr/bin:/bin",
    }
    container = Container(tmp_path)
    container.hold("lineage_password", postgres_server.password(address["user"]))

    def make(secret: str) -> Store:
        container.hold("marquez_password", secret)
        done = container.run(["sh", "marquez/login"], variables)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return Store(make_conninfo(database.dsn, user="marquez", password=secret, passfile="/dev/null"))

    yield make
    postgres_server.run_sql("DROP ROLE IF EXISTS marquez;")


def _filled(database: Store) -> None:
    take_in(database, [run_event("COMPLETE", outputs=[dataset("orders", "shop", fields=[("id", "INT")])])])


def test_its_server_starts_by_that_login_and_reads(made: Made, database: Store) -> None:
    _filled(database)
    marquez = made(SECRET)
    with marquez.connect(autocommit=True) as connection:
        for statement in START:
            connection.execute(statement.encode())
        assert connection.execute("SHOW jit").fetchall() == [("off",)]
    assert rows(marquez, "SELECT name FROM datasets_view") == [("orders",)]
    assert rows(marquez, "SELECT count(*) FROM flyway_schema_history WHERE success") == [(91,)]


def test_that_login_can_neither_migrate_nor_take_in_events(made: Made, database: Store) -> None:
    _filled(database)
    migrating = ["CREATE TABLE of_marquez (a int)", "ALTER TABLE runs ADD COLUMN a int", "DROP VIEW runs_view"]
    with made(SECRET).connect(autocommit=True) as connection:
        for statement in (*migrating, *REFUSED):
            with pytest.raises(InsufficientPrivilege):
                connection.execute(statement.encode())


def test_another_password_takes_the_place_of_the_first(made: Made) -> None:
    first, second = made(SECRET), made(OTHER_SECRET)
    assert rows(second, "SELECT current_user::text") == [("marquez",)]
    with pytest.raises(StoreUnavailable, match="password"):
        first.connect()
