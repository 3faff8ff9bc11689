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
from lineage_core.database import store
from lineage_core.errors import NeedsOperator
from lineage_core.ingest import event_files
from lineage_core.ingest.run import ingest
from lineage_core.ingest.store.raw_events import insert_event
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.run import InThreads, migrate
from lineage_core.long_migrations.store import records
from lineage_core.normalize.run import InProcess, normalize
from lineage_core.postgres import connection as connections
from lineage_core.postgres.connection import Connection, connect, connect_for_transactions, run_script
from lineage_core.postgres.leases import fence, held_lease
from lineage_core.postgres.sessions import is_pooled
from lineage_core.reading.facets import facets_of_run
from lineage_core.settings import Dsn
from lineage_core.testing import TIME, Document, facet, run_event, to_json, to_ndjson
from tests.support.poolers import PGBOUNCER, pgbouncer
from tests.support.receivers import receiver
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = [
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


def through(pooler: Server, database: str) -> Dsn:
    return Dsn(pooler.dsn(database=str(conninfo_to_dict(database)["dbname"])), "LINEAGE_DSN")


WORK: dict[str, Callable[[str], object]] = {
    "upgrade": store.upgrade,
    "check": store.differences,
    "normalize": lambda dsn: normalize(dsn, InProcess()),
    "quarantine": quarantine.entries,
    "reading": lambda dsn: list(facets_of_run(dsn, RUN)),
    "owners": namespaces.owned_namespaces,
    "migration": lambda dsn: migrate(dsn, "facets", InThreads()),
    "status": records.statuses,
}


@pytest.fixture(scope="module", params=["transaction", "transaction in turn", "statement"])
def sharing_pooler(request: pytest.FixtureRequest, postgres_server: Server) -> Iterator[Server]:
    """One that gives a backend for a transaction, the last one that came back or the next in turn, or a statement."""
    mode, _, in_turn = request.param.partition(" ")
    with pgbouncer(postgres_server, mode, round_robin=bool(in_turn)) as pooler:
        yield pooler


@pytest.fixture(scope="module")
def transaction_pooler(postgres_server: Server) -> Iterator[Server]:
    with pgbouncer(postgres_server, "transaction") as pooler:
        yield pooler


@pytest.mark.parametrize("work", WORK)
def test_what_needs_a_session_says_so_before_it_does_anything(sharing_pooler: Server, database: str, work: str) -> None:
    dsn = through(sharing_pooler, database)
    with _others(dsn) as others:
        with pytest.raises(NeedsOperator, match=r"LINEAGE_DSN, goes through a pooler.*pool_mode=session"):
            WORK[work](dsn)
        for connection in others:
            assert connection.execute("SHOW search_path").fetchone() == ('"$user", public',)


@contextmanager
def _others(dsn: str) -> Iterator[list[Connection]]:
    """Other clients of the pooler, and as many backends as it lets them have."""
    connections = [connect_for_transactions(dsn) for _ in range(3)]
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
    transaction_pooler: Server, database: str
) -> None:
    dsn = through(transaction_pooler, database)

    def another() -> Connection:
        """Made while somebody else is in a transaction, on the backend that was ours."""
        busy.execute("BEGIN")
        busy.execute("SELECT 1")
        return connect_for_transactions(dsn)

    with connect_for_transactions(dsn) as connection, connect_for_transactions(dsn) as busy:
        assert is_pooled(connection, another)


def test_with_a_pooler_that_keeps_sessions_all_is_as_without(postgres_server: Server, database: str) -> None:
    take_in(database, EVENTS)
    wanted = contents(database)
    empty(database)
    with pgbouncer(postgres_server, "session") as pooler:
        dsn = through(pooler, database)
        insert_all(dsn, EVENTS[:2])
        assert normalize(dsn, InProcess(2)).events == 2
        insert_all(dsn, EVENTS[2:])
        assert migrate(dsn, "facets", InThreads(), workers=2).state == "finished"
        assert len(list(facets_of_run(dsn, RUN))) == 3
        assert store.differences(dsn) == []
        for work in WORK.values():
            work(dsn)
    assert differences(contents(database), wanted) == {}


def test_a_pool_of_one_session_is_no_reason_to_refuse_it(postgres_server: Server, database: str) -> None:
    with pgbouncer(postgres_server, "session", pool_size=1) as pooler, connect(through(pooler, database)) as connection:
        assert connection.execute("SHOW timezone").fetchone() == ("UTC",)


@pytest.mark.parametrize("count", [1, 20])
def test_events_are_added_through_a_pooler_that_has_other_users(
    transaction_pooler: Server, database: str, tmp_path: Path, count: int
) -> None:
    """Whose settings its backends have."""
    dsn = through(transaction_pooler, database)
    with _others(dsn) as others:
        _at_once(
            others,
            "SET search_path = nowhere; SET default_transaction_read_only = on; SET default_transaction_isolation ="
            " serializable; SET standard_conforming_strings = off; SET statement_timeout = '1s'",
        )
        events = [run_event(run_id=f"run {number}") for number in range(count)]
        (tmp_path / "events.ndjson").write_bytes(to_ndjson(events))
        found = event_files.find([str(tmp_path)])
        assert ingest(dsn, found).quarantined == 0
        insert_event(dsn, to_json(run_event(run_id="by itself")))
        insert_event(dsn, b"broken")
        for connection in others:
            assert connection.execute("SHOW search_path").fetchone() == ("nowhere",)
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(count + 1,)]
    assert len(quarantine.entries(database)) == 1


def test_the_receiver_works_through_a_pooler_that_has_other_users(transaction_pooler: Server, database: str) -> None:
    dsn = through(transaction_pooler, database)
    with _others(dsn) as others, receiver(dsn, needs_token=False) as listening, listening.client() as client:
        _at_once(others, "SET search_path = nowhere; SET default_transaction_read_only = on")
        answers = [client.post("/api/v1/lineage", json=run_event(run_id=f"run {number}")) for number in range(20)]
    assert {answer.status_code for answer in answers} == {201}
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(20,)]


def test_a_run_ends_before_it_merges_in_a_session_that_a_pooler_took_away(
    transaction_pooler: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the mode of the pool is changed while it runs."""
    monkeypatch.setattr(connections, "is_pooled", lambda *_: False)
    dsn = through(transaction_pooler, database)
    with held_lease(database, "normalize") as lease, connect(dsn, autocommit=True) as connection:
        with connection.transaction():
            fence(connection, lease)
        with _others(dsn) as others, others[0].transaction():
            others[0].execute("SELECT 1")
            with pytest.raises(NeedsOperator, match="goes through a pooler"), connection.transaction():
                fence(connection, lease)


def insert_all(dsn: str, events: list[Document]) -> None:
    for event in events:
        insert_event(dsn, to_json(event))
