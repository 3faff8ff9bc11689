"""Behind PgBouncer: all that needs a session says so where it has none, and what needs none works in any mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest
from psycopg.conninfo import conninfo_to_dict

from lineage_core import namespaces, quarantine
from lineage_core.errors import NeedsOperator
from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.ingest.store import insert_event
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres import connection as connections
from lineage_core.postgres.connection import Connection, refuse_other_backend, run_script
from lineage_core.postgres.leases import fence, held_lease
from lineage_core.postgres.sessions import is_pooled
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import facets_of_run
from lineage_core.settings import Dsn
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import TIME, Document, facet, run_event, to_json, to_ndjson
from tests.support.poolers import PGBOUNCER, pgbouncer
from tests.support.receivers import receiver
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = [
    pytest.mark.both_servers,
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not on this machine: apt-get install pgbouncer"),
]

RUN = UUID("0190a0a0-0000-7000-8000-000000000001")
EVENTS = [
    run_event(kind, run_id=str(RUN), time=TIME.replace(second=second), facets={"custom": facet(number=second)})
    for second, kind in enumerate(("START", "RUNNING", "COMPLETE"))
]


@pytest.fixture(autouse=True)
def _nothing_is_known_of_poolers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_keeping_sessions", set())


def through(pooler: Server, database: Store) -> Store:
    return Store(Dsn(pooler.dsn(database=str(conninfo_to_dict(database.dsn)["dbname"])), "LINEAGE_DSN"))


WORK: dict[str, Callable[[Store], object]] = {
    "upgrade": whole_store.upgrade,
    "check": whole_store.differences,
    "normalize": lambda database: normalize(database, SerialRunner()),
    "quarantine": quarantine.entries,
    "reading": lambda database: list(facets_of_run(database, RUN)),
    "owners": namespaces.owned_namespaces,
    "migration": lambda database: migrate(database, "facets", ThreadRunner()),
    "status": records.statuses,
}


@pytest.fixture(
    scope="module", params=["transaction", "transaction in turn", "transaction at two in turn", "statement"]
)
def sharing_pooler(request: pytest.FixtureRequest, postgres_server: Server) -> Iterator[Server]:
    """One that gives a backend for a transaction, the last one that came back or the next in turn, or a statement."""
    mode, _, way = request.param.partition(" ")
    pool_size = 2 if "two" in way else 10
    with pgbouncer(postgres_server, mode, pool_size=pool_size, round_robin="in turn" in way) as pooler:
        yield pooler


@pytest.fixture(scope="module")
def transaction_pooler(postgres_server: Server) -> Iterator[Server]:
    with pgbouncer(postgres_server, "transaction") as pooler:
        yield pooler


@pytest.mark.parametrize("work", WORK)
def test_what_needs_a_session_says_so_before_it_does_anything(
    sharing_pooler: Server, database: Store, work: str
) -> None:
    pooled = through(sharing_pooler, database)
    with _others(pooled) as others:
        with pytest.raises(NeedsOperator, match=r"LINEAGE_DSN, goes through a pooler.*pool_mode=session"):
            WORK[work](pooled)
        for connection in others:
            assert connection.execute("SHOW search_path").fetchone() == ('"$user", public',)


def test_a_connection_that_meets_another_backend_later_names_its_setting(
    sharing_pooler: Server, database: Store
) -> None:
    """By chance it may have met one backend at first."""
    with through(sharing_pooler, database).connect_for_transactions() as connection:
        connection.backend = 1
        with pytest.raises(NeedsOperator, match=r"LINEAGE_DSN, goes through a pooler.*pool_mode=session"):
            refuse_other_backend(connection, 2)


@contextmanager
def _others(database: Store) -> Iterator[list[Connection]]:
    """Other clients of the pooler, and as many backends as it lets them have."""
    connections = [database.connect_for_transactions() for _ in range(3)]
    _at_once(connections, "")
    try:
        yield connections
    finally:
        for connection in connections:
            connection.close()


def _at_once(connections: list[Connection], script: str) -> None:
    """Each on a backend of its own."""
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda connection: run_script(connection, f"SELECT pg_sleep(0.1); {script}"), connections))


def test_a_backend_that_others_have_taken_meanwhile_shows_the_pooler_too(
    transaction_pooler: Server, database: Store
) -> None:
    pooled = through(transaction_pooler, database)

    def another() -> Connection:
        """Made while somebody else is in a transaction, on the backend that was ours."""
        busy.execute("BEGIN")
        busy.execute("SELECT 1")
        return pooled.connect_for_transactions()

    with pooled.connect_for_transactions() as connection, pooled.connect_for_transactions() as busy:
        assert is_pooled(connection, another)


def test_with_a_pooler_that_keeps_sessions_all_is_as_without(postgres_server: Server, database: Store) -> None:
    take_in(database, EVENTS)
    wanted = contents(database)
    empty(database)
    with pgbouncer(postgres_server, "session") as pooler:
        pooled = through(pooler, database)
        insert_all(pooled, EVENTS[:2])
        assert normalize(pooled, SerialRunner(2)).events == 2
        insert_all(pooled, EVENTS[2:])
        assert migrate(pooled, "facets", ThreadRunner(), workers=2).state == "finished"
        assert len(list(facets_of_run(pooled, RUN))) == 3
        assert whole_store.differences(pooled) == []
        for work in WORK.values():
            work(pooled)
    assert differences(contents(database), wanted) == {}


def test_a_pool_of_one_session_is_no_reason_to_refuse_it(postgres_server: Server, database: Store) -> None:
    with (
        pgbouncer(postgres_server, "session", pool_size=1) as pooler,
        through(pooler, database).connect() as connection,
    ):
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)


@pytest.mark.parametrize("count", [1, 20])
def test_events_are_added_through_a_pooler_that_has_other_users(
    transaction_pooler: Server, database: Store, tmp_path: Path, count: int
) -> None:
    """Whose settings its backends have."""
    pooled = through(transaction_pooler, database)
    with _others(pooled) as others:
        _at_once(
            others,
            "SET search_path = nowhere; SET default_transaction_read_only = on; SET default_transaction_isolation ="
            " serializable; SET standard_conforming_strings = off; SET statement_timeout = '1s'",
        )
        events = [run_event(run_id=f"run {number}") for number in range(count)]
        (tmp_path / "events.ndjson").write_bytes(to_ndjson(events))
        found = event_files.find([str(tmp_path)])
        assert ingest(pooled, found).quarantined == 0
        insert_event(pooled, to_json(run_event(run_id="by itself")))
        insert_event(pooled, b"broken")
        for connection in others:
            assert connection.execute("SHOW search_path").fetchone() == ("nowhere",)
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(count + 1,)]
    assert len(quarantine.entries(database)) == 1


def test_the_receiver_works_through_a_pooler_that_has_other_users(transaction_pooler: Server, database: Store) -> None:
    pooled = through(transaction_pooler, database)
    with _others(pooled) as others, receiver(pooled, needs_token=False) as listening, listening.client() as client:
        _at_once(others, "SET search_path = nowhere; SET default_transaction_read_only = on")
        answers = [client.post("/api/v1/lineage", json=run_event(run_id=f"run {number}")) for number in range(20)]
    assert {answer.status_code for answer in answers} == {201}
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(20,)]


def test_a_run_ends_before_it_merges_in_a_session_that_a_pooler_took_away(
    transaction_pooler: Server, database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the mode of the pool is changed while it runs."""
    monkeypatch.setattr(connections, "is_pooled", lambda *_: False)
    pooled = through(transaction_pooler, database)
    with held_lease(database, "normalize") as lease, pooled.connect(autocommit=True) as connection:
        with connection.transaction():
            fence(connection, lease)
        with _others(pooled) as others, others[0].transaction():
            others[0].execute("SELECT 1")
            with pytest.raises(NeedsOperator, match="goes through a pooler"), connection.transaction():
                fence(connection, lease)


def insert_all(database: Store, events: list[Document]) -> None:
    for event in events:
        insert_event(database, to_json(event))
