"""Monthly partitions of lineage_events: made in time, never refusing and never losing an event."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import psycopg
import pytest

from lineage_core.store.connection import Connection, connect
from lineage_core.store.schema import MONTHS_AHEAD, ensure_event_partitions

pytestmark = pytest.mark.postgres

INSERT = """
INSERT INTO lineage_events (event_time, event, created_at)
SELECT %s::timestamptz + n * interval '1 second', jsonb_build_object('n', n), '2026-01-01Z'
FROM generate_series(1, %s) AS n
"""
ROWS = """
SELECT event_time, event, created_at, arrived_xid, arrival_seq, event_bytes, is_ahead
FROM lineage_events ORDER BY arrival_seq
"""
LAST_YEAR = datetime.now(UTC).year - 1


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database, autocommit=True) as opened:
        yield opened


def _partitions(connection: Connection) -> dict[str, int]:
    """The partitions that hold rows, with their number."""
    counted = connection.execute("SELECT tableoid::regclass::text, count(*) FROM lineage_events GROUP BY 1")
    return {name: number for name, number in counted}


def _names(connection: Connection) -> list[str]:
    found = connection.execute(
        "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'lineage_events'::regclass ORDER BY 1"
    )
    return [name for (name,) in found]


def _months_from_now(number: int) -> list[str]:
    now = datetime.now(UTC)
    months = [divmod(now.year * 12 + now.month - 1 + ahead, 12) for ahead in range(number)]
    return [f"lineage_events_{year:04}_{month + 1:02}" for year, month in months]


def test_upgrade_makes_this_month_and_those_ahead(connection: Connection) -> None:
    assert _names(connection) == sorted([*_months_from_now(1 + MONTHS_AHEAD), "lineage_events_default"])


def test_what_is_there_is_not_made_again(database: str) -> None:
    assert ensure_event_partitions(database) == []


def test_more_months_ahead_are_added(database: str) -> None:
    assert ensure_event_partitions(database, MONTHS_AHEAD + 2) == _months_from_now(MONTHS_AHEAD + 3)[-2:]


def test_an_event_lies_in_the_partition_of_its_month_in_utc(connection: Connection) -> None:
    connection.execute("SET timezone = 'Pacific/Auckland'")
    connection.execute("SELECT ensure_event_partition('2024-03-15Z')")
    first, last = "2024-03-01T00:00:00Z", "2024-03-31T23:59:59.999999Z"
    for time in (first, last, "2024-02-29T23:59:59.999999Z", "2024-04-01T00:00:00Z"):
        connection.execute("INSERT INTO lineage_events (event_time, event) VALUES (%s, '{}')", [time])
    assert _partitions(connection) == {"lineage_events_2024_03": 2, "lineage_events_default": 2}


def test_the_server_does_its_months_in_utc_too(connection: Connection) -> None:
    """A month ahead must not depend on the zone of whoever calls."""
    connection.execute("SET timezone = 'Pacific/Kiritimati'")
    connection.execute("SELECT ensure_event_partitions(24)")
    assert [name for name in _names(connection) if name != "lineage_events_default"] == _months_from_now(25)


@pytest.mark.parametrize("time", ["0044-03-15 BC", "1969-12-31", "9999-12-31", "infinity", "-infinity"])
def test_a_wrong_clock_is_never_refused_and_gets_no_partition(database: str, connection: Connection, time: str) -> None:
    statement = (
        "INSERT INTO lineage_events (event_time, event, created_at) SELECT %s, '{}', %s FROM generate_series(1, 2000)"
    )
    connection.execute(statement, [time, None if "infinity" in time else "2026-01-01Z"])
    assert ensure_event_partitions(database) == []
    assert _partitions(connection) == {"lineage_events_default": 2000}


def test_a_month_that_waits_in_the_default_partition_moves_whole(connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-05-31T23:59:00Z", 200])
    before = connection.execute(ROWS).fetchall()
    connection.execute("SELECT ensure_event_partition(%s)", [f"{LAST_YEAR}-06-07Z"])
    assert connection.execute(ROWS).fetchall() == before
    assert _partitions(connection) == {"lineage_events_default": 59, f"lineage_events_{LAST_YEAR}_06": 141}


def test_a_moved_event_keeps_what_it_arrived_with(connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-05-01Z", 1])
    connection.execute("UPDATE lineage_events SET arrived_xid = 7, arrival_seq = 8, created_at = NULL")
    connection.execute("SELECT ensure_event_partition(%s)", [f"{LAST_YEAR}-05-01Z"])
    stored = connection.execute(
        "SELECT arrived_xid, arrival_seq, created_at, is_ahead, event_bytes FROM lineage_events"
    )
    assert stored.fetchall() == [(7, 8, None, False, len('{"n": 1}'))]


def test_a_partition_has_every_index(connection: Connection) -> None:
    count = "SELECT count(*) FROM pg_index WHERE indrelid = %s::regclass AND indisvalid"
    for name in _names(connection):
        assert connection.execute(count, [name]).fetchone() == connection.execute(count, ["lineage_events"]).fetchone()


def test_a_history_gets_partitions_and_stragglers_do_not(database: str, connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 999])
    connection.execute(INSERT, [f"{LAST_YEAR}-03-01Z", 1000])
    connection.execute(INSERT, ["1999-12-31Z", 1500])
    assert ensure_event_partitions(database) == ["lineage_events_1999_12", f"lineage_events_{LAST_YEAR}_03"]
    assert _partitions(connection)["lineage_events_default"] == 999


@pytest.mark.parametrize("months", [-1, 25])
def test_an_absurd_number_of_months_is_refused(connection: Connection, months: int) -> None:
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="from 0 to 24"):
        connection.execute("SELECT ensure_event_partitions(%s)", [months])


def test_a_reader_of_the_default_partition_delays_the_move_and_nothing_breaks(
    database: str, connection: Connection
) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 1000])
    with connect(database) as reader:
        reader.execute("SELECT count(*) FROM lineage_events")
        assert ensure_event_partitions(database) == []
        assert _partitions(connection) == {"lineage_events_default": 1000}
    assert ensure_event_partitions(database) == [f"lineage_events_{LAST_YEAR}_02"]


def test_a_history_too_large_to_move_in_passing_is_left_to_the_owner(connection: Connection) -> None:
    connection.execute(INSERT, [f"{LAST_YEAR}-02-01Z", 30])
    assert connection.execute("SELECT ensure_event_partitions(0, 10, 29)").fetchall() == []
    assert connection.execute("SELECT ensure_event_partitions(0, 10, 30)").fetchall() == [
        (f"lineage_events_{LAST_YEAR}_02",)
    ]


def test_ingest_and_readers_beside_the_move_miss_nothing(database: str, connection: Connection) -> None:
    """Each month is moved while one connection writes into it and another counts."""
    for month in range(1, 13):
        connection.execute(INSERT, [f"{LAST_YEAR}-{month:02}-01Z", 1000])
    moved: list[str] = []
    counts: list[int] = []
    done = threading.Event()
    threads = [
        threading.Thread(target=lambda: _move_all(database, moved, done)),
        threading.Thread(target=lambda: _count_until(database, done, counts)),
    ]
    for thread in threads:
        thread.start()
    written = 0
    while not done.is_set():
        connection.execute(INSERT, [f"{LAST_YEAR}-{written % 12 + 1:02}-20Z", 1])
        written += 1
    for thread in threads:
        thread.join()
    assert len(moved) == 12
    assert len(counts) > 12
    assert counts == sorted(counts), "a reader missed rows that were moving"
    total = connection.execute("SELECT count(*), count(DISTINCT arrival_seq) FROM lineage_events").fetchone()
    assert total == (12_000 + written, 12_000 + written)


def _move_all(database: str, moved: list[str], done: threading.Event) -> None:
    try:
        while len(moved) < 12:
            with connect(database) as mover:
                # One month in a transaction, so that the others come and go between.
                made = mover.execute("SELECT ensure_event_partition(%s)", [f"{LAST_YEAR}-{len(moved) + 1:02}-01Z"])
                moved += [name for (name,) in made if name is not None]
    finally:
        done.set()


def _count_until(database: str, done: threading.Event, counts: list[int]) -> None:
    with connect(database, autocommit=True) as reader:
        while not done.is_set():
            counts += [number for (number,) in reader.execute("SELECT count(*) FROM lineage_events")]


def test_two_calls_at_once_make_each_partition_once(database: str, connection: Connection) -> None:
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


def test_an_event_more_than_a_day_ahead_of_its_arrival_is_marked(connection: Connection) -> None:
    connection.execute(
        "INSERT INTO lineage_events (event_time, event, created_at) VALUES"
        " ('2026-01-02Z', '{}', '2026-01-01Z'), ('2026-01-02 00:00:00.000001Z', '{}', '2026-01-01Z')"
    )
    marked = connection.execute("SELECT is_ahead FROM lineage_events ORDER BY event_time")
    assert marked.fetchall() == [(False,), (True,)]


def test_an_event_is_marked_with_its_transaction_and_place(database: str) -> None:
    with connect(database) as writer:
        writer.execute(INSERT, ["2026-01-01Z", 3])
        xid = writer.execute("SELECT pg_current_xact_id()::text::bigint").fetchone()
        marks = writer.execute("SELECT arrived_xid, arrival_seq FROM lineage_events ORDER BY event_time").fetchall()
    assert xid is not None
    assert [mark[0] for mark in marks] == [xid[0]] * 3
    assert [mark[1] for mark in marks] == sorted({mark[1] for mark in marks})
