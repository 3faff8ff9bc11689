"""Commands that wait for a file or for the database are interrupted: all end, and what they say of it is true."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from lineage_core.ingest.ingestion import BATCH_DOCUMENTS
from lineage_core.interrupts import SIGNALS
from lineage_core.local import postgres
from lineage_core.postgres.migration_files import VERSION_TABLE
from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.testing import named_job, run_event, to_ndjson
from tests.support.interrupted_commands import LINEAGE, running, wait_until
from tests.support.stores import rows
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

BOTH = pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)


@BOTH
def test_ingest_says_that_what_is_stored_stays(database: Store, tmp_path: Path, number: signal.Signals) -> None:
    with (
        _endless(tmp_path / "events") as pipe,
        running([LINEAGE, "ingest", str(pipe)], {"LINEAGE_DSN": database.dsn}) as command,
    ):
        until(lambda: _stored(database) > 0)
        command.send(number)
        ended = command.ended()
    assert (ended.code, ended.written, ended.left) == (128 + number, "", [])
    assert ended.errors == (
        f"lineage: interrupted by {number.name}. What was stored stays; ingest the same again, as an event that arrives"
        " twice counts once.\n"
    )
    assert _stored(database) % BATCH_DOCUMENTS == 0


@contextmanager
def _endless(pipe: Path) -> Iterator[Path]:
    """A pipe with some batches of events and no end."""
    os.mkfifo(pipe)
    events = to_ndjson([run_event(job=named_job(f"job {number}")) for number in range(2 * BATCH_DOCUMENTS + 100)])
    over = threading.Event()

    def write() -> None:
        with suppress(BrokenPipeError), pipe.open("wb") as stream:
            stream.write(events)
            stream.flush()
            over.wait()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        yield pipe
    finally:
        over.set()
        writing.join()


def _stored(database: Store) -> int:
    ((count,),) = rows(database, "SELECT count(*) FROM lineage_events")
    return int(count)


@pytest.mark.parametrize(
    ("number", "words", "table", "what_stays"),
    [
        (signal.SIGINT, ["quarantine", "list"], "quarantine", "Nothing was changed."),
        (signal.SIGTERM, ["db", "upgrade"], VERSION_TABLE, "An upgrade is kept whole or not at all; `lineage db"),
        (signal.SIGINT, ["normalize"], "leases", "What was merged stays; `lineage normalize` continues from there."),
        (signal.SIGTERM, ["normalize"], "leases", "What was merged stays; `lineage normalize` continues from there."),
        (signal.SIGTERM, ["migration", "status"], "migrations", "Nothing was changed."),
    ],
)
def test_a_command_that_waits_for_a_lock_gives_up_and_its_statement_with_it(
    database: Store, number: signal.Signals, words: list[str], table: str, what_stays: str
) -> None:
    with database.connect() as blocker, running([LINEAGE, *words], {"LINEAGE_DSN": database.dsn}) as command:
        blocker.execute(f'LOCK TABLE "{table}" IN ACCESS EXCLUSIVE MODE'.encode())
        wait_until(lambda: _waiting(database))
        command.send(number)
        ended = command.ended()
        assert (ended.code, ended.written, ended.left) == (128 + number, "", [])
        assert ended.errors.startswith(f"lineage: interrupted by {number.name}. {what_stays}")
        assert ended.errors.count("\n") == 1
        until(lambda: not _waiting(database))


def _waiting(database: Store) -> bool:
    return rows(database, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)") == [(True,)]


@pytest.mark.long
def test_the_embedded_server_is_whole_or_none_whenever_the_command_that_makes_it_is_interrupted(
    tmp_path: Path,
) -> None:
    """It goes on, as after any command, or was not begun; the next command makes good what is missing."""
    home = tmp_path / "home"
    environment = {"LINEAGE_HOME": str(home)} | {"PATH": inherited_environment()["PATH"]}
    for delay in (0.2, 0.5, 0.8, 1.1, 1.5, 2.0, 2.5, 3.0):
        with running([LINEAGE, "db", "upgrade"], environment) as command:
            time.sleep(delay)
            command.send(SIGNALS[int(delay * 10) % 2])
            ended = command.ended()
            assert ended.code in {0, *(128 + number for number in SIGNALS)}
            assert [line for line in ended.left if "bin/postgres -D" not in line and "postgres: " not in line] == []
        postgres.stop_server(home)
    with running([LINEAGE, "db", "upgrade"], environment) as command:
        assert command.ended().code == 0
        postgres.stop_server(home)
