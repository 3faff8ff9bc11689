"""The store for those who wait for an answer: sessions are used again, and the next question finds nothing in them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from lineage_core.capability import CheckedPlaces, HealthCheck
from lineage_core.errors import StoreUnavailable
from lineage_core.operate.whole_store import examine
from lineage_core.postgres import reader_store
from lineage_core.postgres.reader_store import KEPT, ReaderStore
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from tests.support.stores import rows
from tests.support.waiting import until

pytestmark = pytest.mark.postgres


@pytest.fixture
def reader(database: Store) -> Iterator[ReaderStore]:
    store = ReaderStore(database.dsn, "lineage tests")
    yield store
    del store


def backend(store: Store) -> int:
    with snapshot(store) as connection:
        return connection.info.backend_pid


def open_sessions(database: Store) -> int:
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s"
    ((number,),) = rows(database, query, ["lineage tests"])
    return int(number)


def test_a_session_is_used_again(reader: ReaderStore) -> None:
    assert len({backend(reader) for _ in range(3)}) == 1


def test_each_question_sees_what_is_stored_now(reader: ReaderStore, database: Store) -> None:
    query = "SELECT count(*) FROM namespaces WHERE name = 'new'"
    with snapshot(reader) as connection:
        assert connection.execute(query).fetchone() == (0,)
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO namespaces (uuid, created_at, updated_at, name)"
            " VALUES (gen_random_uuid(), now(), now(), 'new')"
        )
    with snapshot(reader) as connection:
        assert connection.execute(query).fetchone() == (1,)


def test_a_session_that_is_used_again_cannot_write_either(reader: ReaderStore) -> None:
    backend(reader)
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), reader.session("lineage_reader") as connection:
        connection.execute("DELETE FROM namespaces")


def test_a_session_in_which_something_failed_is_not(reader: ReaderStore) -> None:
    first = backend(reader)
    with pytest.raises(ZeroDivisionError), snapshot(reader):
        _ = 1 / 0
    assert backend(reader) != first


def test_a_session_with_temporary_views_is_not(reader: ReaderStore) -> None:
    with snapshot(reader, has_temporary_tables=True) as connection:
        first = connection.info.backend_pid
        connection.execute("CREATE TEMP VIEW datasets AS SELECT 1 AS one")
    assert backend(reader) != first


def test_what_a_question_has_set_is_not_set_for_the_next(reader: ReaderStore) -> None:
    """As where views were made for it, and taken back, so that nothing temporary is left."""
    with snapshot(reader, has_temporary_tables=True) as connection:
        first = connection.info.backend_pid
    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction), reader.session("lineage_reader") as connection:
        assert connection.info.backend_pid == first
        assert connection.execute("SHOW transaction_isolation").fetchone() == ("read committed",)
        connection.execute("DELETE FROM namespaces")


def test_one_that_the_server_has_ended_is_not_noticed(reader: ReaderStore, database: Store) -> None:
    first = backend(reader)
    assert rows(database, "SELECT pg_terminate_backend(%s, 5000)", [first]) == [(True,)]
    assert backend(reader) != first


def test_one_that_ends_within_a_question_is_an_outage_as_ever(reader: ReaderStore, database: Store) -> None:
    with pytest.raises(StoreUnavailable), snapshot(reader) as connection:
        rows(database, "SELECT pg_terminate_backend(%s, 5000)", [connection.info.backend_pid])
        connection.execute("SELECT 1")
    assert backend(reader)


@pytest.mark.parametrize("limit", ["IDLE_SECONDS", "LIFE_SECONDS"])
def test_an_old_session_is_closed(reader: ReaderStore, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    first = backend(reader)
    monkeypatch.setattr(reader_store, limit, 0.0)
    assert backend(reader) != first


def test_questions_at_once_have_a_session_each_and_few_are_kept(reader: ReaderStore, database: Store) -> None:
    with ExitStack() as stack:
        opened = [stack.enter_context(snapshot(reader)) for _ in range(KEPT + 2)]
        assert len({connection.info.backend_pid for connection in opened}) == KEPT + 2
    until(lambda: open_sessions(database) == KEPT)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda _: backend(reader), range(40)))
    until(lambda: open_sessions(database) <= KEPT)


def test_they_end_with_the_store(database: Store) -> None:
    store = ReaderStore(database.dsn, "lineage tests")
    backend(store)
    assert open_sessions(database) == 1
    del store
    until(lambda: open_sessions(database) == 0)


def test_a_check_that_takes_too_long_ends_alone(
    database: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reader_store, "SECONDS", 1)

    def sleep(looked: CheckedPlaces) -> list[str]:
        looked.connection.execute("SELECT pg_sleep(30)")
        return []

    checks = [
        HealthCheck("slow", sleep, "Wait."),
        HealthCheck("quick", lambda _looked: ["It is there"], "Do it."),
    ]
    slow, quick = examine(ReaderStore(database.dsn), tmp_path, checks=checks)
    assert (slow.check, slow.needs_person, quick.what) == ("slow", False, "It is there")
    assert "statement timeout" in slow.what


def test_settings_of_one_question_are_not_those_of_the_next(reader: ReaderStore) -> None:
    with snapshot(reader) as connection:
        connection.execute("SET LOCAL enable_hashjoin = off")
    with snapshot(reader) as connection:
        assert connection.execute("SHOW enable_hashjoin").fetchone() == ("on",)
        assert connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
