"""A partition of lineage_events that has nothing but archived events is dropped whole, and no one waits long for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lineage_core.ingest.store import ensure_event_partitions
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.retention.archiving import ArchivedEvents, archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.restoring import restore
from lineage_core.retention.store import raw_events
from lineage_core.retention.store.policies import HeldThing, add_hold
from lineage_core.retention.store.raw_events import PartitionShare, drop_partition
from lineage_core.retention.tables import PolicyKind
from lineage_core.tasks import SerialRunner
from tests.support.lock_watch import lock_watch
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

YEAR = datetime.now(UTC).year - 1
MONTH, PARTITION = datetime(YEAR, 3, 1, tzinfo=UTC), f"lineage_events_{YEAR}_03"
MOVED = f"lineage_events_moved_{YEAR}_03"
INSERT = """
INSERT INTO lineage_events (event_time, event, created_at)
SELECT
    %s::timestamptz + n * interval '1 second',
    jsonb_build_object('n', n, 'job', jsonb_build_object('namespace', 'shop', 'name', 'load'), 'x', repeat('x', %s)),
    '2020-01-01Z'
FROM generate_series(1, %s) AS n
"""
SHARE = "SELECT count(*), coalesce(sum(hashint8extended(arrived_xid, arrival_seq)), 0) FROM lineage_events_{}"
LONGEST_WAIT = 0.2
"""Seconds; measured were 0.03 on a busy machine."""


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect(autocommit=True) as opened:
        yield opened


def _is_there(connection: Connection, partition: str) -> bool:
    return connection.execute("SELECT to_regclass(%s) IS NOT NULL", [partition]).fetchone() == (True,)


def _make(connection: Connection, month: datetime) -> None:
    connection.execute(
        "SELECT create_event_partition(%(m)s, false), attach_event_partition(%(m)s, false)", {"m": month}
    )


def _mark_normalized(connection: Connection) -> None:
    """Without rows: what is measured here is about raw events alone."""
    connection.execute("DELETE FROM watermarks")
    connection.execute(
        "INSERT INTO watermarks (name, system_identifier, done, partitions)"
        " SELECT 'normalize', system_identifier, pg_current_snapshot(), event_partitions() FROM pg_control_system()"
    )


def _filled(connection: Connection, number: int = 10, large: int = 1) -> None:
    _make(connection, MONTH)
    connection.execute(INSERT, [MONTH, large, number])
    _mark_normalized(connection)


def _archive(store: Store, folder: Path, before: datetime = MONTH + timedelta(days=31)) -> ArchivedEvents:
    return archive_expired(store, str(folder), [Cutoff(PolicyKind.RAW_EVENTS, "shop", before, 0)], datetime.now(UTC))


def _share(connection: Connection, name: str = f"{YEAR}_03") -> PartitionShare:
    row = connection.execute(SHARE.format(name).encode()).fetchone()
    assert row
    return PartitionShare(*row)


def test_a_month_whose_events_are_all_archived_is_dropped(
    database: Store, connection: Connection, tmp_path: Path
) -> None:
    _filled(connection)
    done = _archive(database, tmp_path)
    assert (done.deleted, done.dropped_partitions) == (10, (PARTITION,))
    assert not _is_there(connection, PARTITION)
    connection.execute(INSERT, [MONTH, 1, 3])
    assert rows(database, "SELECT count(*) FROM lineage_events_default") == [(3,)]


def test_moved_events_and_those_that_arrived_are_dropped_each_with_their_partition(
    database: Store, connection: Connection, tmp_path: Path
) -> None:
    for _ in range(2):
        connection.execute(INSERT, [MONTH, 1, 1_000])
        ensure_event_partitions(database)
    connection.execute(INSERT, [MONTH, 1, 5])
    _mark_normalized(connection)
    done = _archive(database, tmp_path)
    assert {*done.dropped_partitions} == {MOVED, PARTITION}
    assert done.deleted == 2_005
    (manifest,) = done.manifests
    assert restore(database, str(tmp_path / manifest)).restored == 2_005
    assert ensure_event_partitions(database) == [MOVED]
    assert rows(database, "SELECT count(*), count(DISTINCT arrival_seq) FROM lineage_events") == [(2_005, 2_005)]


def test_a_month_of_which_something_stays_loses_rows_alone(
    database: Store, connection: Connection, tmp_path: Path
) -> None:
    _filled(connection)
    assert _archive(database, tmp_path, MONTH + timedelta(seconds=6)).deleted == 5
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(5,)]
    assert _is_there(connection, PARTITION)


def test_the_present_month_stays_as_what_arrives_goes_there(
    database: Store, connection: Connection, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    connection.execute(INSERT, [now - timedelta(minutes=1), 1, 3])
    _mark_normalized(connection)
    done = _archive(database, tmp_path, now)
    assert (done.deleted, done.dropped_partitions) == (3, ())
    assert _is_there(connection, f"lineage_events_{now:%Y_%m}")


def _more(connection: Connection) -> None:
    connection.execute(INSERT, [MONTH, 1, 1])


def _other(connection: Connection) -> None:
    connection.execute(f"DELETE FROM {PARTITION} WHERE event_time = (SELECT min(event_time) FROM {PARTITION})".encode())
    _more(connection)
    _mark_normalized(connection)


def _held(connection: Connection) -> None:
    connection.execute("INSERT INTO retention_holds (namespace_pattern, why) VALUES ('other', 'an audit')")


def _replayed(connection: Connection) -> None:
    connection.execute("UPDATE watermarks SET done = '1:1:'")


def _unknown(connection: Connection) -> None:
    connection.execute("UPDATE watermarks SET partitions = '{}'")


@pytest.mark.parametrize("changed", [_more, _other, _held, _replayed, _unknown])
def test_a_partition_is_not_dropped_if_it_has_anything_else(
    database: Store, connection: Connection, changed: Callable[[Connection], None]
) -> None:
    _filled(connection)
    share = _share(connection)
    changed(connection)
    assert not drop_partition(connection, PARTITION, share)
    assert _is_there(connection, PARTITION)


@pytest.mark.parametrize(
    "name", ["jobs", "lineage_events", "lineage_events_default", "lineage_events_moved_before_1970"]
)
def test_only_a_partition_of_a_past_month_is_dropped(connection: Connection, name: str) -> None:
    _filled(connection)
    assert not drop_partition(connection, name, PartitionShare())
    assert not drop_partition(connection, "lineage_events_2001_01", PartitionShare())
    assert _is_there(connection, name)


def test_what_somebody_is_bringing_meanwhile_is_waited_for_and_not_lost(
    database: Store, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer that has its place in the partition already, and commits while the drop waits for him."""
    monkeypatch.setattr(raw_events, "LOCK_TIMEOUT_MS", 5_000)
    monkeypatch.setattr(raw_events, "ATTEMPTS", 1)
    _filled(connection)
    share = _share(connection)
    with database.connect() as writer:
        writer.execute(INSERT, [MONTH, 1, 1])
        dropping = threading.Timer(0.5, writer.commit)
        dropping.start()
        assert not drop_partition(connection, PARTITION, share)
        dropping.join()
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(11,)]


def test_a_reader_delays_no_one_and_rows_are_deleted_instead(
    database: Store, connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_events, "ATTEMPTS", 2)
    _filled(connection)
    with database.connect() as reader:
        reader.execute("SELECT count(*) FROM lineage_events")
        with lock_watch(database) as longest:
            done = _archive(database, tmp_path)
    assert (done.deleted, done.dropped_partitions) == (10, ())
    assert longest.seconds < LONGEST_WAIT


@pytest.mark.slow
def test_no_one_waits_long_while_a_large_month_is_dropped(
    database: Store, connection: Connection, tmp_path: Path
) -> None:
    _filled(connection, 60_000)
    with lock_watch(database) as longest, _ingesting(database) as waits:
        done = _archive(database, tmp_path)
    assert done.dropped_partitions == (PARTITION,)
    assert longest.seconds < LONGEST_WAIT
    assert len(waits) > 20


@contextmanager
def _ingesting(store: Store) -> Iterator[list[float]]:
    """Events arrive, of that month too; how long each took."""
    over = threading.Event()
    waits: list[float] = []

    def ingest() -> None:
        with store.connect(autocommit=True) as opened:
            while not over.is_set():
                began = time.monotonic()
                opened.execute(INSERT, [datetime.now(UTC), 1, 1])
                waits.append(time.monotonic() - began)

    thread = threading.Thread(target=ingest)
    thread.start()
    try:
        yield waits
    finally:
        over.set()
        thread.join()


def test_events_that_arrive_in_a_dropped_month_are_normalized(
    database: Store, connection: Connection, tmp_path: Path
) -> None:
    _filled(connection)
    assert _archive(database, tmp_path).dropped_partitions
    connection.execute(INSERT, [MONTH, 1, 2])
    assert normalize(database, SerialRunner()).quarantined == 2, "they are none, but they were read"


def test_a_hold_that_ends_before_a_month_does_not_keep_its_partition(database: Store, connection: Connection) -> None:
    _filled(connection)
    share = _share(connection)
    add_hold(database, HeldThing("*", events_until=MONTH), "an audit", None)
    assert drop_partition(connection, PARTITION, share)
