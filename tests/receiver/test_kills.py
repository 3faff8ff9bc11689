"""Postgres crashes, and then the receiver is killed, while events come: what was answered is there."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from lineage_core.local import postgres
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import named_job, run_event
from tests.support.servers import server_of_its_own, stop_immediately
from tests.support.serving import free_port, serving
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

EVENTS, CONNECTIONS = 5_000, 16
DATABASE = "received"


class Senders:
    """Each event is sent until it is answered 201, over connections that stay open while they can."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: Counter[int] = Counter()
        self.stored: set[str] = set()
        self.unanswered = 0

    def send(self, sender: int) -> None:
        with httpx.Client(base_url=self.url, timeout=15) as client:
            for number in range(sender, EVENTS, CONNECTIONS):
                while not self._is_stored(client, f"job {number}"):
                    time.sleep(0.05)

    def _is_stored(self, client: httpx.Client, job: str) -> bool:
        try:
            status = client.post("/api/v1/lineage", json=run_event(job=named_job(job), run_id=job)).status_code
        except httpx.TransportError:
            self.unanswered += 1
            return False
        self.answers[status] += 1
        if status == 201:
            self.stored.add(job)
        return status == 201

    def wait_for(self, count: int) -> None:
        while len(self.stored) < count:
            time.sleep(0.005)


@pytest.mark.slow
def test_every_event_that_was_answered_is_there_once(pytestconfig: pytest.Config) -> None:
    version: int = pytestconfig.getoption("--postgres")
    port = free_port()
    with server_of_its_own(version) as server, ExitStack() as receivers:
        server.ensure_database(DATABASE, postgres.ROLE)
        store = Store(server.dsn(database=DATABASE))
        upgrade(store)
        url, first = receivers.enter_context(serving(store, "--without-tokens", port=port))
        senders = Senders(url)
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            sending = [pool.submit(senders.send, number) for number in range(CONNECTIONS)]
            senders.wait_for(EVENTS // 3)
            stop_immediately(server, version)
            before = set(senders.stored)
            assert postgres.start(server.passfile.parent, version).port == server.port
            assert before <= _jobs(store)
            senders.wait_for(EVENTS * 2 // 3)
            first.kill()
            first.wait()
            assert set(senders.stored) <= _jobs(store)
            receivers.enter_context(serving(store, "--without-tokens", port=port))
            for one in sending:
                one.result()
        assert set(senders.answers) <= {201, 503}
        assert senders.unanswered > 0, "the receiver was killed while no one sent"
        normalize(store, SerialRunner())
        assert rows(store, "SELECT count(*), count(DISTINCT name) FROM jobs") == [(EVENTS, EVENTS)]
        assert rows(store, "SELECT count(*) FROM runs") == [(EVENTS,)]


def _jobs(store: Store) -> set[str]:
    return {name for (name,) in rows(store, "SELECT DISTINCT job_name FROM lineage_events")}
