"""Normalization that stays: each look is one question, and a run happens when something has arrived."""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from lineage_core.errors import NeedsOperator, StoreUnavailable
from lineage_core.normalize import following
from lineage_core.normalize.command import _follow, _log_outcome
from lineage_core.normalize.following import follow
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.operation import NORMALIZATION, Normalization
from lineage_core.normalize.store.event_choices import WATERMARK, begin, has_arrived
from lineage_core.operate.whole_store import store_status
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event
from tests.support.stores import put, rows

if TYPE_CHECKING:
    from lineage_core.spark.application import Application

pytestmark = pytest.mark.postgres


class Enough(Exception):
    """The test has seen what it wanted."""


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that are made; the fifth ends the test."""
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 5:
            raise Enough

    # Not `time.sleep` itself: threads that earlier tests have left sleep, too.
    monkeypatch.setattr(following, "time", SimpleNamespace(sleep=pause))
    return pauses


def _has_arrived(database: Store) -> bool:
    with database.connect() as connection:
        return has_arrived(connection)


def test_something_has_arrived_until_a_run_is_through(database: Store) -> None:
    assert not _has_arrived(database)
    put(database, [run_event()])
    assert _has_arrived(database)
    normalize(database, SerialRunner())
    assert not _has_arrived(database)


def test_an_event_whose_transaction_was_open_at_the_last_run_has_arrived_when_it_commits(database: Store) -> None:
    with database.connect() as late:
        late.execute(
            "INSERT INTO lineage_events (event_time, event) SELECT '2026-01-01', %s::jsonb", (_text(run_event()),)
        )
        put(database, [run_event(run_id="0190a0a0-0000-7000-8000-000000000002")])
        normalize(database, SerialRunner())
        assert not _has_arrived(database)
        late.commit()
    assert _has_arrived(database)
    normalize(database, SerialRunner())
    assert not _has_arrived(database)


def test_what_an_interrupted_run_has_left_has_to_be_done(database: Store) -> None:
    normalize(database, SerialRunner())
    with held_lease(database, WATERMARK) as lease, database.connect() as connection:
        begin(connection, lease)
    assert _has_arrived(database)


def test_a_look_reads_no_more_of_a_large_store_than_of_a_small_one(database: Store) -> None:
    put(database, [run_event(run_id=f"0190a0a0-0000-7000-8000-{number:012}") for number in range(4_000)])
    normalize(database, SerialRunner())
    with database.connect() as connection:
        connection.execute("ANALYZE lineage_events")
        read = _buffers_of(connection, lambda: has_arrived(connection))
    assert read < 200


def _buffers_of(connection: Connection, look: Callable[[], object]) -> int:
    """Pages of the partitions of raw events, and of their indexes, that a look reads."""
    before = _pages_read(connection)
    look()
    connection.commit()
    return _pages_read(connection) - before


def _pages_read(connection: Connection) -> int:
    query = (
        "SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int FROM pg_statio_user_tables"
        " WHERE relname LIKE 'lineage_events%'"
    )
    connection.execute("SELECT pg_stat_force_next_flush()")
    connection.commit()
    (read,) = connection.execute(query).fetchone() or (0,)
    connection.commit()
    return int(read)


def test_it_runs_when_something_has_arrived_and_waits_else(database: Store, looks: list[float]) -> None:
    done: list[int] = []

    def run() -> None:
        done.append(normalize(database, SerialRunner()).events)
        if len(done) == 1:
            put(database, [run_event(run_id="0190a0a0-0000-7000-8000-000000000002")])

    put(database, [run_event()])
    with pytest.raises(Enough):
        follow(database, run)
    assert done == [1, 1]
    assert looks == [following.LOOK_SECONDS] * 5
    assert rows(database, "SELECT count(*) FROM runs") == [(2,)]


def test_while_another_run_has_the_lease_it_looks_again(database: Store) -> None:
    tries: list[int] = []

    def run() -> None:
        tries.append(1)
        if len(tries) == 3:
            raise Enough
        normalize(database, SerialRunner(), patience=0.0)

    put(database, [run_event()])
    with held_lease(database, WATERMARK), pytest.raises(Enough):
        follow(database, run)
    assert rows(database, "SELECT count(*) FROM runs") == [(0,)]


def test_a_store_that_is_away_is_waited_for(looks: list[float]) -> None:
    with pytest.raises(Enough):
        follow(Store("postgresql://nobody@127.0.0.1:1/none?connect_timeout=1"), lambda: None)
    assert looks == [following.RETRY_SECONDS] * 5


def test_a_store_that_goes_away_within_a_run_is_waited_for(
    database: Store, looks: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    def run() -> None:
        raise StoreUnavailable("gone")

    put(database, [run_event()])
    with pytest.raises(Enough):
        follow(database, run)
    assert looks == [following.RETRY_SECONDS] * 5
    assert caplog.messages.count("The store can be reached again.") == 4


def test_what_needs_a_person_ends_it(database: Store) -> None:
    def run() -> None:
        raise NeedsOperator("look at this")

    put(database, [run_event()])
    with pytest.raises(NeedsOperator, match="look at this"):
        follow(database, run)


def test_whoever_follows_is_seen_by_his_machine_and_session(database: Store) -> None:
    seen = list[Normalization]()

    def run() -> None:
        seen.append(store_status(database, (NORMALIZATION,))[NORMALIZATION])
        raise Enough

    put(database, [run_event()])
    with pytest.raises(Enough):
        follow(database, run)
    ((follower,),) = (found.followers for found in seen)
    machine, _, session = follower.rpartition(", ")
    assert machine == socket.gethostname()
    assert session.isdigit()
    lines = [line for _, line in NORMALIZATION.lines(seen[0], datetime.now(UTC))]
    assert lines == ["not at work; has never run", f"followed by {follower}"]
    assert store_status(database, (NORMALIZATION,))[NORMALIZATION].followers == []


@pytest.fixture
def _log_as_it_was() -> Iterator[None]:
    ours = logging.getLogger("lineage_core")
    before = ours.level, ours.propagate, ours.handlers
    yield
    ours.level, ours.propagate, ours.handlers = before


@pytest.mark.usefixtures("_log_as_it_was")
def test_its_log_has_times_and_says_that_it_begins(
    database: Store, looks: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    put(database, [run_event()])
    _, spark = looks, SimpleNamespace(context=None)
    with pytest.raises(Enough):
        _follow(database, cast("Application", spark), partial(normalize, database, SerialRunner()), _log_outcome)
    written = capsys.readouterr()
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    lines = written.err.splitlines()
    assert [line for line in lines if not re.match(f"{time} INFO ", line)] == []
    assert "Normalizes from now on whatever arrives" in lines[0]
    assert "1 event normalized, 0 quarantined" in lines[1]
    assert written.out == ""


def _text(event: object) -> str:

    return json.dumps(event)
