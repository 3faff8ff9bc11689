"""Monthly partitions of lineage_events: made in time, never refusing or losing an event, and no one waits for them."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import psycopg
import pytest

from lineage_core.errors import WrongUsage
from lineage_core.ingest.store import MONTHS_AHEAD, ensure_event_partitions
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from tests.support.lock_watch import lock_watch, readers

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers, pytest.mark.slow]

INSERT = """
INSERT INTO lineage_events (event_time, event, created_at)
SELECT %s::timestamptz + n * interval '1 second', jsonb_build_object('n', n), '2026-01-01Z'
FROM generate_series(1, %s) AS n
"""
INSERT_LARGE = """
INSERT INTO lineage_events (event_time, event, created_at)
SELECT
    %s::timestamptz + n * interval '1 second',
    jsonb_build_object('n', n, 'text', (SELECT string_agg(md5((n * i)::text), '') FROM generate_series(1, 60) AS i)),
    '2026-01-01Z'
FROM generate_series(1, %s) AS n
"""
"""Some 2 kB each, that do not compress."""
ROWS = """
SELECT event_time, event, created_at, arrived_xid, arrival_seq, event_bytes, is_ahead
FROM lineage_events ORDER BY arrival_seq
"""
COUNT = "SELECT count(*), count(DISTINCT arrival_seq) FROM lineage_events"
OF_A_MONTH = """
SELECT count(*) FROM lineage_events
WHERE event_time >= %(month)s AND event_time < %(month)s::timestamptz + interval '1 month'
"""
LAST_YEAR = datetime.now(UTC).year - 1
DEFAULT = "lineage_events_default"
LONGEST_WAIT = 0.5
"""Seconds; the locks are for 0.2, and the machine may be busy."""


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect(autocommit=True) as opened:
        yield opened


def _partitions(connection: Connection) -> dict[str, int]:
    """The partitions that hold rows, with their number."""
    counted = connection.execute("SELECT tableoid::regclass::text, count(*) FROM lineage_events GROUP BY 1")
    return {name: number for name, number in counted}


def _names(connection: Connection) -> list[str]:
    """All partitions for events that arrive."""
    found = connection.execute(
        "SELECT inhrelid::regclass::text FROM pg_inherits"
        " WHERE inhparent = 'lineage_events_arrived'::regclass ORDER BY 1"
    )
    return [name for (name,) in found]


def _months_from_now(number: int) -> list[str]:
    now = datetime.now(UTC)
    months = [divmod(now.year * 12 + now.month - 1 + ahead, 12) for ahead in range(number)]
    return [f"lineage_events_{year:04}_{month + 1:02}" for year, month in months]


def _drop(connection: Connection, name: str) -> None:
    connection.execute(f"DROP TABLE {name}".encode())


def _only_this_month(connection: Connection) -> str:
    """Leaves no partition but the default one, as where no one has run for months; the first instant of this month."""
    for name in _months_from_now(1 + MONTHS_AHEAD):
        _drop(connection, name)
    return datetime.now(UTC).strftime("%Y-%m-01T00:00:00Z")


def test_upgrade_makes_this_month_and_those_ahead(connection: Connection) -> None:
    assert _names(connection) == sorted([*_months_from_now(1 + MONTHS_AHEAD), DEFAULT])


def test_what_is_there_is_not_made_again(database: Store) -> None:
    assert ensure_event_partitions(database) == []


def test_more_months_ahead_are_added(database: Store) -> None:
    assert ensure_event_partitions(database, MONTHS_AHEAD + 2) == _months_from_now(MONTHS_AHEAD + 3)[-2:]


def test_an_event_lies_in_the_partition_of_its_month_in_utc(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, ["2024-02-29T23:59:59Z", 1000])
    assert ensure_event_partitions(database) == ["lineage_events_moved_2024_03"]
    connection.execute(INSERT, ["2024-03-20Z", 1000])
    assert ensure_event_partitions(database) == ["lineage_events_2024_03"]
    connection.execute("SET timezone = 'Pacific/Auckland'")
    connection.execute("TRUNCATE lineage_events")
    first, last = "2024-03-01T00:00:00Z", "2024-03-31T23:59:59.999999Z"
    for instant in (first, last, "2024-02-29T23:59:59.999999Z", "2024-04-01T00:00:00Z"):
        connection.execute("INSERT INTO lineage_events (event_time, event) VALUES (%s, '{}')", [instant])
    assert _partitions(connection) == {"lineage_events_2024_03": 2, DEFAULT: 2}


def test_the_server_does_its_months_in_utc_too(database: Store, connection: Connection) -> None:
    """A month ahead must not depend on the zone that a database gives to whoever calls."""
    connection.execute(f"ALTER DATABASE {connection.info.dbname} SET timezone = 'Pacific/Kiritimati'".encode())
    ensure_event_partitions(database, 24)
    assert [name for name in _names(connection) if name != DEFAULT] == _months_from_now(25)


@pytest.mark.parametrize(
    ("instant", "partition"),
    [
        ("0001-01-01Z", "lineage_events_moved_before_1970"),
        ("1969-12-31", "lineage_events_moved_before_1970"),
        ("2100-01-01", "lineage_events_moved_from_2100"),
        ("9999-12-31 23:59:59.999999Z", "lineage_events_moved_from_2100"),
    ],
)
def test_a_wrong_clock_is_never_refused_and_gets_no_month(
    database: Store, connection: Connection, instant: str, partition: str
) -> None:
    """What it brings leaves the default partition all the same, which Postgres looks through for each new month."""
    statement = (
        "INSERT INTO lineage_events (event_time, event, created_at)"
        " SELECT %s, '{}', '2026-01-01Z' FROM generate_series(1, 2000)"
    )
    connection.execute(statement, [instant])
    assert _partitions(connection) == {DEFAULT: 2000}
    assert ensure_event_partitions(database) == []
    assert _partitions(connection) == {partition: 2000}


def test_a_month_that_waits_in_the_default_partition_moves_whole(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-05-31T23:59:00Z", 2000])
    before = connection.execute(ROWS).fetchall()
    assert ensure_event_partitions(database) == [f"lineage_events_moved_{LAST_YEAR}_06"]
    assert connection.execute(ROWS).fetchall() == before
    assert _partitions(connection) == {DEFAULT: 59, f"lineage_events_moved_{LAST_YEAR}_06": 1941}


def test_a_moved_event_keeps_what_it_arrived_with(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-05-01Z", 1000])
    connection.execute("UPDATE lineage_events SET arrived_xid = 7, arrival_seq = 8, created_at = NULL")
    ensure_event_partitions(database)
    stored = connection.execute(
        "SELECT DISTINCT tableoid::regclass::text, arrived_xid, arrival_seq, created_at, is_ahead FROM lineage_events"
    )
    assert stored.fetchall() == [(f"lineage_events_moved_{LAST_YEAR}_05", 7, 8, None, False)]


def test_a_partition_has_every_index(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 1000])
    (moved,) = ensure_event_partitions(database)
    count = "SELECT count(*) FROM pg_index WHERE indrelid = %s::regclass AND indisvalid"
    for name in (moved, *_names(connection)):
        assert connection.execute(count, [name]).fetchone() == connection.execute(count, ["lineage_events"]).fetchone()


def test_a_history_gets_partitions_and_stragglers_do_not(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 999])
    connection.execute(INSERT, [f"{LAST_YEAR}-03-01Z", 1000])
    connection.execute(INSERT, ["1999-12-31Z", 1500])
    made = ["lineage_events_moved_1999_12", f"lineage_events_moved_{LAST_YEAR}_03"]
    assert ensure_event_partitions(database) == made
    assert _partitions(connection) == {DEFAULT: 999, made[0]: 1500, made[1]: 1000}


def test_a_month_that_fills_up_again_gets_a_partition_for_what_arrives(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-03-01Z", 1000])
    assert ensure_event_partitions(database) == [f"lineage_events_moved_{LAST_YEAR}_03"]
    connection.execute(INSERT, [f"{LAST_YEAR}-03-01Z", 1000])
    assert ensure_event_partitions(database) == [f"lineage_events_{LAST_YEAR}_03"]
    connection.execute(INSERT, [f"{LAST_YEAR}-03-01Z", 10])
    assert _partitions(connection) == {
        f"lineage_events_moved_{LAST_YEAR}_03": 2000,
        f"lineage_events_{LAST_YEAR}_03": 10,
    }


def test_a_month_whose_events_came_before_its_partition_gets_one_all_the_same(
    database: Store, connection: Connection
) -> None:
    this_month = _only_this_month(connection)
    connection.execute(INSERT, [this_month, 3])
    name, *ahead = _months_from_now(1 + MONTHS_AHEAD)
    moved = name.replace("lineage_events_", "lineage_events_moved_")
    assert ensure_event_partitions(database) == [moved, name, *ahead]
    connection.execute(INSERT, [this_month, 1])
    assert _partitions(connection) == {moved: 3, name: 1}


@pytest.mark.parametrize("months", [-1, 25])
def test_an_absurd_number_of_months_is_refused(database: Store, months: int) -> None:
    with pytest.raises(WrongUsage, match="from 0 to 24"):
        ensure_event_partitions(database, months)


@pytest.mark.parametrize("month", ["2026-01-02Z", "1969-12-01Z", "2100-01-01Z", "infinity", None])
def test_only_months_get_partitions(connection: Connection, month: str | None) -> None:
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="a month begins on its first day"):
        connection.execute("SELECT create_event_partition(%s, false)", [month])


def test_events_move_while_a_transaction_that_writes_and_reads_them_stays_open(
    database: Store, connection: Connection
) -> None:
    """Whatever it holds, and for however long: no lock of the move stands in its way, nor the other way round."""
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 3000])
    with database.connect() as busy:
        busy.execute("SELECT count(*) FROM lineage_events")
        busy.execute(INSERT, [f"{LAST_YEAR}-02-15Z", 5])
        assert ensure_event_partitions(database) == [f"lineage_events_moved_{LAST_YEAR}_02"]
        assert _partitions(connection) == {f"lineage_events_moved_{LAST_YEAR}_02": 3000}
        assert busy.execute(COUNT).fetchone() == (3005, 3005)
    assert connection.execute(COUNT).fetchone() == (3005, 3005)


def test_a_snapshot_that_is_older_than_the_move_sees_every_event_once(database: Store, connection: Connection) -> None:
    """Also if it comes to lineage_events only now: a dump, or whoever read another table first."""
    month = f"{LAST_YEAR}-02-01Z"
    connection.execute(INSERT, [month, 3000])
    with database.connect() as old:
        old.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        old.execute("SELECT FROM jobs")
        ensure_event_partitions(database)
        connection.execute(INSERT, [month, 1])
        assert old.execute(COUNT).fetchone() == (3000, 3000)
        assert old.execute(OF_A_MONTH, {"month": month}).fetchone() == (3000,)
    assert connection.execute(OF_A_MONTH, {"month": month}).fetchone() == (3001,)


def test_a_reader_delays_a_month_for_what_arrives_and_nothing_breaks(
    database: Store, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineage_core.ingest.store.ATTEMPTS", 2)
    with database.connect() as reader:
        reader.execute("SELECT count(*) FROM lineage_events")
        assert ensure_event_partitions(database, MONTHS_AHEAD + 1) == []
        connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 1])
    assert ensure_event_partitions(database, MONTHS_AHEAD + 1) == _months_from_now(MONTHS_AHEAD + 2)[-1:]


def test_a_large_default_partition_is_not_looked_through_under_a_lock(database: Store, connection: Connection) -> None:
    """Postgres would read all of it before it makes a month's partition, with everybody shut out."""
    connection.execute("ALTER TABLE lineage_events_default ALTER event SET STORAGE PLAIN")
    for month in range(1, 13):
        for year in range(LAST_YEAR - 2, LAST_YEAR + 1):
            connection.execute(INSERT_LARGE, [f"{year}-{month:02}-01Z", 500])
    with lock_watch(database) as longest, readers(database, "SELECT FROM lineage_events LIMIT 1"):
        assert ensure_event_partitions(database, MONTHS_AHEAD + 1) == []
    assert longest.seconds == 0
    connection.execute("DELETE FROM lineage_events")
    connection.execute("VACUUM lineage_events_default")
    assert ensure_event_partitions(database, MONTHS_AHEAD + 1) == _months_from_now(MONTHS_AHEAD + 2)[-1:]


def test_no_one_waits_for_long_while_a_large_month_moves(database: Store, connection: Connection) -> None:
    """As much took eleven seconds under one lock where it was ten times as large."""
    this_month = _only_this_month(connection)
    connection.execute(INSERT_LARGE, [this_month, 15_000])
    connection.execute("VACUUM lineage_events_default")
    written = 0
    with lock_watch(database) as longest, readers(database, COUNT) as counted, _moving(database) as is_moving:
        while is_moving():
            connection.execute(INSERT, [this_month, 1])
            written += 1
    assert longest.seconds < LONGEST_WAIT
    assert written > 10
    assert counted
    assert connection.execute(COUNT).fetchone() == (15_000 + written, 15_000 + written)


def test_what_is_not_moved_in_time_is_moved_by_the_next_call(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 3000])
    assert ensure_event_partitions(database, moving_seconds=0) == [f"lineage_events_moved_{LAST_YEAR}_02"]
    assert _partitions(connection) == {DEFAULT: 3000}
    ensure_event_partitions(database)
    assert _partitions(connection) == {f"lineage_events_moved_{LAST_YEAR}_02": 3000}


def test_a_step_is_bounded_by_events_and_by_bytes_and_takes_a_larger_event_alone(connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 1000])
    span = [f"{LAST_YEAR}-02-01Z", f"{LAST_YEAR}-03-01Z"]
    assert connection.execute("SELECT move_events(%s, %s)", span).fetchone() == (0,), "without a partition"
    connection.execute("SELECT create_event_partition(%s, true), attach_event_partition(%s, true)", [span[0], span[0]])
    assert connection.execute("SELECT move_events(%s, %s, 7)", span).fetchone() == (7,)
    assert connection.execute("SELECT move_events(%s, %s, 100, 1)", span).fetchone() == (1,)


def test_an_event_that_somebody_changes_is_left_for_later(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 1001])
    with database.connect() as busy:
        busy.execute("UPDATE lineage_events SET arrived_xid = arrived_xid WHERE event -> 'n' = '7'")
        ensure_event_partitions(database)
        assert _partitions(connection) == {DEFAULT: 1, f"lineage_events_moved_{LAST_YEAR}_02": 1000}
    assert connection.execute(COUNT).fetchone() == (1001, 1001)


def test_ingest_and_readers_beside_the_move_miss_nothing(database: Store, connection: Connection) -> None:
    """Each month is moved while one connection writes into it and another counts."""
    for month in range(1, 13):
        connection.execute(INSERT, [f"{LAST_YEAR}-{month:02}-01Z", 1000])
    written = 0
    with readers(database, "SELECT FROM lineage_events") as counts, _moving(database) as is_moving:
        while is_moving():
            connection.execute(INSERT, [f"{LAST_YEAR}-{written % 12 + 1:02}-20Z", 1])
            written += 1
    assert len(counts) > 2
    assert counts == sorted(counts), "a reader missed rows that were moving"
    assert connection.execute(COUNT).fetchone() == (12_000 + written, 12_000 + written)
    assert sum(number for name, number in _partitions(connection).items() if name != DEFAULT) >= 12_000


def test_a_move_that_is_killed_again_and_again_loses_and_doubles_nothing(
    database: Store, connection: Connection
) -> None:
    for month in range(1, 4):
        connection.execute(INSERT, [f"{LAST_YEAR}-{month:02}-01Z", 4000])
    before = connection.execute(ROWS).fetchall()
    chance = random.Random(12)
    killed = 0
    while _partitions(connection).get(DEFAULT, 0):
        mover = multiprocessing.get_context("spawn").Process(target=ensure_event_partitions, args=(database,))
        mover.start()
        left = _partitions(connection).get(DEFAULT, 0)
        while mover.is_alive() and _partitions(connection).get(DEFAULT, 0) == left:
            time.sleep(0.005)
        mover.join(chance.uniform(0, 0.1) if killed < 5 else None)
        if mover.is_alive():
            assert mover.pid
            os.kill(mover.pid, signal.SIGKILL)
            killed += 1
        mover.join()
        assert connection.execute(ROWS).fetchall() == before
    assert killed
    assert ensure_event_partitions(database) == []


@contextmanager
def _moving(database: Store) -> Iterator[Callable[[], bool]]:
    """Moves, in a thread; what is yielded says whether it still does."""
    moving = threading.Thread(target=ensure_event_partitions, args=(database,), kwargs={"moving_seconds": 300})
    moving.start()
    try:
        yield moving.is_alive
    finally:
        moving.join()


def test_two_calls_at_once_make_each_partition_once(database: Store, connection: Connection) -> None:
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.extend(ensure_event_partitions(database, MONTHS_AHEAD + 3)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == _months_from_now(MONTHS_AHEAD + 4)[-3:]


def test_two_calls_at_once_move_each_event_once(database: Store, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 5000])
    threads = [threading.Thread(target=ensure_event_partitions, args=(database,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _partitions(connection) == {f"lineage_events_moved_{LAST_YEAR}_02": 5000}


def test_an_event_more_than_a_day_ahead_of_its_arrival_is_marked(connection: Connection) -> None:
    connection.execute(
        "INSERT INTO lineage_events (event_time, event, created_at) VALUES"
        " ('2026-01-02Z', '{}', '2026-01-01Z'), ('2026-01-02 00:00:00.000001Z', '{}', '2026-01-01Z')"
    )
    marked = connection.execute("SELECT is_ahead FROM lineage_events ORDER BY event_time")
    assert marked.fetchall() == [(False,), (True,)]


def test_an_event_is_marked_with_its_transaction_and_place(database: Store) -> None:
    with database.connect() as writer:
        writer.execute(INSERT, ["2026-01-01Z", 3])
        xid = writer.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
        marks = writer.execute("SELECT arrived_xid, arrival_seq FROM lineage_events ORDER BY event_time").fetchall()
    assert xid is not None
    assert [mark[0] for mark in marks] == [xid[0]] * 3
    assert [mark[1] for mark in marks] == sorted({mark[1] for mark in marks})
