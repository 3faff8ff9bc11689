"""What is answered while the store is away, with a spool and without."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from psycopg.conninfo import conninfo_to_dict

from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.receiver import group_commit
from lineage_core.receiver.spooling import AllowedSpool
from lineage_core.receiver.store import create_token, revoke_token
from lineage_core.testing import named_job, run_event
from tests.support.receivers import BATCH, EVENT, quarantined, receiver, stored
from tests.support.servers import ingest_login
from tests.support.waiting import until

pytestmark = pytest.mark.postgres


def test_what_was_answered_is_there_when_postgres_goes_away(database: Store, postgres_server: Server) -> None:
    """Sessions are ended again and again while events come: each that got 201 is in the store, the rest got 503."""
    ended, deadline = threading.Event(), time.monotonic() + 120
    ended_sessions = 0

    def end_sessions() -> None:
        nonlocal ended_sessions
        while not ended.is_set():
            ended_sessions += int(
                postgres_server.run_sql(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename LIKE '%ingest%';"
                )
            )
            time.sleep(0.05)

    token = create_token(database, "steady", ["*"], None)
    answered: dict[str, int] = {}
    with receiver(ingest_login(postgres_server, database)) as listening, listening.client(token.text) as client:
        killer = threading.Thread(target=end_sessions)
        killer.start()

        def send(sender: int) -> None:
            """Until four were stored and sessions were ended often, however long that takes on a busy machine."""
            numbers, stored_events = itertools.count(), 0
            while stored_events < 4 or ended_sessions < 10:
                assert killer.is_alive() and time.monotonic() < deadline
                job = f"{sender}-{next(numbers)}"
                answered[job] = client.post(EVENT, json=run_event(job=named_job(job))).status_code
                stored_events += answered[job] == 201

        with ThreadPoolExecutor(8) as senders:
            list(senders.map(send, range(8)))
        ended.set()
        killer.join()
    there = {event["job"]["name"] for event in stored(database)}
    assert set(answered.values()) <= {201, 503}
    assert {job for job, status in answered.items() if status == 201} <= there
    assert len(there) > 20


OUTAGES = {
    "too many connections": (
        "ALTER ROLE ingester CONNECTION LIMIT 0; SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE usename = 'ingester'",
        "ALTER ROLE ingester CONNECTION LIMIT -1",
    ),
    "a full disk": (
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'f' USING ERRCODE = '53100'; END $$;"
        " CREATE TRIGGER fills BEFORE INSERT ON lineage_events EXECUTE FUNCTION fill()",
        "DROP FUNCTION fill CASCADE",
    ),
    "a server that only reads, as before a failover is done": (
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'r' USING ERRCODE = '25006'; END $$;"
        " CREATE TRIGGER fills BEFORE INSERT ON lineage_events EXECUTE FUNCTION fill()",
        "DROP FUNCTION fill CASCADE",
    ),
}


@pytest.mark.parametrize(("begin", "end"), OUTAGES.values(), ids=OUTAGES)
def test_an_outage_is_answered_503_until_it_is_over(
    begin: str,
    end: str,
    client: httpx.Client,
    database: Store,
    postgres_server: Server,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(group_commit, "PATIENCE", 0.3)
    assert client.post(EVENT, json=run_event()).status_code == 201
    name = conninfo_to_dict(database.dsn)["dbname"]
    postgres_server.run_sql(f"{begin};", str(name))
    try:
        answer = client.post(EVENT, json=run_event())
        assert (answer.status_code, int(answer.headers["Retry-After"])) == (503, 5)
        assert "send it again" in answer.json()["message"]
    finally:
        postgres_server.run_sql(f"{end};", str(name))
    assert client.post(EVENT, json=run_event()).status_code == 201
    assert len(stored(database)) == 2
    assert quarantined(database) == [], "nothing is wrong with the event"


class TestSpool:
    """What is answered while the store is away, where events may wait on disk."""

    @pytest.fixture
    def away(self, postgres_server: Server, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
        """No one can log in by the login that adds events, or can again."""
        monkeypatch.setattr(group_commit, "PATIENCE_WITH_SPOOL", 0.3)

        def away(is_away: bool) -> None:
            postgres_server.run_sql(
                f"ALTER ROLE ingester {'NOLOGIN' if is_away else 'LOGIN'};"
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ingester';"
            )

        return away

    def test_an_event_is_kept_on_disk_and_stored_when_the_store_is_back(
        self, database: Store, postgres_server: Server, tmp_path: Path, away: Callable[[bool], None]
    ) -> None:
        dsn = ingest_login(postgres_server, database)
        allowed, other = (create_token(database, name, [f"{name}-*"], None).text for name in ("shop", "dwh"))
        event = run_event(job=named_job("a", namespace="shop-1"))
        with receiver(dsn, spool=tmp_path / "spool") as listening, listening.client(allowed) as client:
            assert client.post(EVENT, json=event).status_code == 201
            away(True)
            try:
                later = [event | {"eventTime": f"2026-02-0{day}T00:00:00Z"} for day in range(1, 4)]
                assert [client.post(EVENT, json=one).status_code for one in later] == [201] * 3
                assert client.post(BATCH, json=later).status_code == 204
                assert client.post(EVENT, json={"no": "event"}).status_code == 422
                assert client.get("/readyz").status_code == 200
                with listening.client(other) as unknown:
                    assert unknown.post(EVENT, json=event).status_code == 503, "no one can say what it may do"
                elsewhere = run_event(job=named_job("a", namespace="shop-2"))
                assert client.post(EVENT, json=elsewhere).status_code == 503, "nor whether it may write there"
                assert len(stored(database)) == 1
            finally:
                away(False)
            until(lambda: len(stored(database)) >= 7)
        assert {one["eventTime"] for one in stored(database)} == {one["eventTime"] for one in [event, *later]}
        assert [source for _, source, _ in quarantined(database)] == ["transport"]
        assert list((tmp_path / "spool").iterdir()) == []

    def test_a_token_that_was_revoked_is_no_more_trusted(
        self, database: Store, postgres_server: Server, tmp_path: Path, away: Callable[[bool], None]
    ) -> None:
        dsn = ingest_login(postgres_server, database)
        token = create_token(database, "shop", ["*"], None).text
        with receiver(dsn, spool=tmp_path / "spool") as listening, listening.client(token) as client:
            assert client.post(EVENT, json=run_event()).status_code == 201
            revoke_token(database, "shop")
            assert client.post(EVENT, json=run_event()).status_code == 401
            away(True)
            try:
                assert client.post(EVENT, json=run_event()).status_code == 503
            finally:
                away(False)

    def test_a_full_spool_refuses(
        self, database: Store, postgres_server: Server, tmp_path: Path, away: Callable[[bool], None]
    ) -> None:
        (tmp_path / "no folder").write_text("")
        dsn = ingest_login(postgres_server, database)
        token = create_token(database, "shop", ["*"], None).text
        with receiver(dsn, spool=tmp_path / "no folder") as listening, listening.client(token) as client:
            assert client.post(EVENT, json=run_event()).status_code == 201
            away(True)
            try:
                assert client.post(EVENT, json=run_event()).status_code == 503
            finally:
                away(False)

    def test_a_spool_that_cannot_be_emptied_stops_no_one(
        self, database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def fail(*_: object) -> bool:
            raise RuntimeError("a fault that no one foresaw")

        monkeypatch.setattr(AllowedSpool, "drain", fail)
        monkeypatch.setattr(group_commit, "DRAIN_SECONDS", 0.05)
        with receiver(database, needs_token=False, spool=tmp_path) as listening, listening.client() as client:
            time.sleep(0.3)
            assert client.post(EVENT, json=run_event()).status_code == 201
        assert "a fault that no one foresaw" in caplog.text
