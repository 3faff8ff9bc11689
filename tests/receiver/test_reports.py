"""What the receiver reports of itself, to the store and in its log."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time

import pytest

from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.receiver import group_commit
from lineage_core.receiver.store import create_token
from lineage_core.testing import named_job, run_event
from tests.support.receivers import BATCH, EVENT, receiver
from tests.support.servers import ingest_login
from tests.support.stores import rows

pytestmark = pytest.mark.postgres


class TestReports:
    def test_each_outcome_is_counted_and_reported_at_the_end(
        self, database: Store, postgres_server: Server, caplog: pytest.LogCaptureFixture
    ) -> None:
        token = create_token(database, "shop", ["shop*"], None).text
        with (
            caplog.at_level(logging.INFO, "lineage_core.receiver.access"),
            receiver(ingest_login(postgres_server, database)) as listening,
            listening.client(token) as client,
        ):
            mine, other = (run_event(job=named_job("a", namespace=namespace)) for namespace in ("shop", "dwh"))
            client.post(f"{EVENT}?api_key=a-secret", json=mine)
            client.post(EVENT, json=other)
            client.post(BATCH, json=[mine, mine, other, 7])
            with listening.client("a-secret") as stranger:
                stranger.post(EVENT, json=mine, headers={"X-Secret": "a-secret"})
        counted = dict(rows(database, "SELECT outcome, documents FROM receiver_hours"))
        assert counted == {"accepted": 3, "403": 2, "422": 1, "401": 1}
        ((process, has_ended),) = rows(database, "SELECT process, ended_at IS NOT NULL FROM receiver_processes")
        assert (process, has_ended) == (os.getpid(), True)
        lines = [record.getMessage() for record in caplog.records]
        assert len(lines) == 4
        assert lines[0].startswith("127.0.0.1 POST /api/v1/lineage 201 ")
        assert lines[2].endswith("accepted 2, 403 1, 422 1")
        assert "a-secret" not in str(lines)

    def test_a_store_that_takes_no_report_still_takes_events(
        self, database: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As one of an earlier release, or one that is being upgraded. What was to be reported is reported later."""
        monkeypatch.setattr(group_commit, "REPORT_SECONDS", 0.05)
        _rename(database, "report_receiver", "unknown")
        with receiver(database, needs_token=False) as listening, listening.client() as client:
            assert client.post(EVENT, json=run_event()).status_code == 201
            time.sleep(0.3)
            assert "The receiver cannot report to the store" in caplog.text
            assert client.post(EVENT, json=run_event()).status_code == 201
            _rename(database, "unknown", "report_receiver")
        assert rows(database, "SELECT outcome, documents FROM receiver_hours") == [("accepted", 2)]

    def test_who_is_not_asked_to_end_reports_it_when_the_process_ends(self, database: Store) -> None:
        """As where Airflow has mounted it."""
        lives = "from lineage_core.receiver.group_commit import GroupCommit; import asyncio, sys;"
        lives += " from lineage_core.postgres.store import Store;"
        lives += " from lineage_core.receiver.store import READINESS;"
        lives += " asyncio.run((commits := GroupCommit(Store(sys.argv[1]))).store(READINESS))"
        subprocess.run([sys.executable, "-c", lives, database.dsn], check=True)
        assert rows(database, "SELECT ended_at IS NOT NULL FROM receiver_processes") == [(True,)]


def _rename(store: Store, function: str, name: str) -> None:
    with store.connect() as connection:
        connection.execute(f"ALTER FUNCTION {function} RENAME TO {name}".encode())
