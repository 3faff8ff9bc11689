"""Connections: in UTC, under a role, and failures as our own errors without secrets."""

from __future__ import annotations

import psycopg
import pytest

from lineage_core.errors import StoreUnavailable
from lineage_core.postgres.connection import connect, run_script
from lineage_core.postgres.store import Store

pytestmark = pytest.mark.postgres


def test_a_connection_is_in_utc_whatever_the_server_says(database: Store) -> None:
    with database.connect(autocommit=True) as owner:
        owner.execute("ALTER ROLE CURRENT_USER SET timezone = 'Asia/Kolkata'")
    with database.connect() as connection:
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)
        connection.execute("ALTER ROLE CURRENT_USER RESET timezone")


def test_a_connection_acts_as_the_role_and_tells_its_name(database: Store) -> None:
    with database.connect(role="lineage_reader", application_name="a test") as connection:
        connection.rollback()
        found = connection.execute("SELECT current_user::text, current_setting('application_name')").fetchone()
    assert found == ("lineage_reader", "a test")


def test_a_block_commits_at_its_end(database: Store) -> None:
    with database.connect() as connection:
        run_script(connection, "CREATE TABLE kept (n integer); INSERT INTO kept VALUES (1)")
    with database.connect() as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_a_block_that_fails_rolls_back(database: Store) -> None:
    with pytest.raises(psycopg.errors.DivisionByZero), database.connect() as connection:
        connection.execute("CREATE TABLE lost (n integer)")
        connection.execute("SELECT 1 / 0")
    with database.connect() as connection:
        assert connection.execute("SELECT to_regclass('lost')").fetchone() == (None,)


def test_a_server_that_ends_the_connection_is_unavailable(database: Store) -> None:
    with pytest.raises(StoreUnavailable), database.connect() as connection, database.connect() as other:
        other.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
        connection.execute("SELECT 1")


def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        connect("postgresql://lineage:swordfish@127.0.0.1:1/lineage?connect_timeout=2")
