"""Law 3 by arrival: in whatever way events come in, and wherever the database is taken, each counts once."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from psycopg import sql

from lineage_core import statements
from lineage_core.errors import LeaseTaken, StaleWatermark
from lineage_core.ingest.store import insert_event
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.normalize.store.event_choices import WATERMARK, prefer_indexes
from lineage_core.normalize.store.rebase import rebase
from lineage_core.operate.whole_store import differences, upgrade
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment
from lineage_core.tasks import SerialRunner
from lineage_core.testing import run_event, to_json
from tests.support.servers import move_on_to_epoch, server_of_its_own
from tests.support.stores import contents, empty, put, rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers, pytest.mark.slow]

EPOCH = 3
LINEAGE = str(Path(sys.executable).with_name("lineage"))

Fresh = Callable[[Server], str]


@pytest.fixture(scope="module")
def version(pytestconfig: pytest.Config) -> int:
    number: int = pytestconfig.getoption("--postgres")
    return number


@pytest.fixture(scope="module")
def young(version: int) -> Iterator[Server]:
    """A cluster with few transactions, which takes prepared ones."""
    with server_of_its_own(version) as server:
        yield server


@pytest.fixture(scope="module")
def old(version: int) -> Iterator[Server]:
    """A cluster whose transactions have numbers beyond 2^33."""
    with server_of_its_own(version) as server:
        move_on_to_epoch(server, version, EPOCH)
        yield server


@pytest.fixture(scope="module")
def fresh() -> Fresh:
    """Makes databases without anything."""
    numbers = itertools.count(1)

    def make(server: Server) -> str:
        name = f"arrival_{next(numbers)}"
        server.ensure_database(name, postgres.ROLE)
        return server.dsn(database=name)

    return make


def test_a_prepared_transaction_that_was_forgotten_delays_no_one_and_is_read_when_it_commits(
    young: Server, fresh: Fresh
) -> None:
    store = _store(Store(fresh(young)))
    _prepare(store, "forgotten", run_event(run_id="forgotten"))
    for number in range(3):
        assert take_in(store, [run_event(run_id=f"run {number}")]).events == 1
    _settle(store, "COMMIT PREPARED 'forgotten'")
    assert normalize(store, SerialRunner()).events == 1
    assert _run_names(store) == {"run 0", "run 1", "run 2", "forgotten"}


def test_the_work_for_what_waits_does_not_grow_with_what_came_after_a_forgotten_transaction(
    young: Server, fresh: Fresh
) -> None:
    store = _store(Store(fresh(young)))
    _prepare(store, "forgotten", run_event(run_id="forgotten"))
    touched = []
    for number in (100, 3_000):
        _put_many(store, number)
        normalize(store, SerialRunner())
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE lineage_events")
        put(store, [run_event(run_id=f"last of {number}")])
        touched.append(_work_for_what_waits(store))
        normalize(store, SerialRunner())
    _settle(store, "ROLLBACK PREPARED 'forgotten'")
    (few_rows, few_buffers), (many_rows, many_buffers) = touched
    assert (few_rows, many_rows) == (1, 1)
    assert many_buffers <= few_buffers + 10, touched


def test_events_of_savepoints_are_read_if_they_were_kept(database: Store) -> None:
    with database.connect() as connection:
        for number in range(6):
            connection.execute("SAVEPOINT here")
            _insert(connection, run_event(run_id=f"run {number}"))
            connection.execute("ROLLBACK TO here" if number % 3 == 1 else "RELEASE here")
        normalize(database, SerialRunner())
        assert _run_names(database) == set()
    assert normalize(database, SerialRunner()).events == 4
    assert _run_names(database) == {"run 0", "run 2", "run 3", "run 5"}


def test_a_savepoint_that_is_open_while_a_run_looks_is_not_missed(database: Store) -> None:
    with database.connect() as connection:
        _insert(connection, run_event(run_id="before"))
        connection.execute("SAVEPOINT here")
        _insert(connection, run_event(run_id="within"))
        assert take_in(database, [run_event(run_id="other")]).events == 1
        connection.execute("RELEASE here")
    assert normalize(database, SerialRunner()).events == 2


def test_events_by_copy_and_by_single_inserts_arrive_alike(database: Store) -> None:
    with database.connect() as connection:
        copied = "COPY lineage_events (event_time, event) FROM STDIN"
        with connection.cursor() as cursor, cursor.copy(copied) as copy:
            for number in range(5):
                copy.write_row(("2026-01-01Z", to_json(run_event(run_id=f"copied {number}")).decode()))
        _insert(connection, run_event(run_id="beside"))
    for number in range(3):
        insert_event(database, to_json(run_event(run_id=f"single {number}")))
    assert normalize(database, SerialRunner(2), slice_bytes=800).events == 9


def test_transaction_numbers_beyond_32_bits_are_numbers_like_others(old: Server, fresh: Fresh) -> None:
    store = _store(Store(fresh(old)))
    with store.connect() as late:
        _insert(late, run_event(run_id="late"))
        assert take_in(store, [run_event(run_id="early")]).events == 1
    assert normalize(store, SerialRunner()).events == 1
    assert normalize(store, SerialRunner()).events == 0
    assert rows(store, "SELECT min(arrived_xid) > %s FROM lineage_events", [EPOCH << 32]) == [(True,)]


@pytest.mark.parametrize("direction", ["to lower numbers", "to higher numbers"])
def test_a_dump_restored_into_another_cluster_is_refused_then_rebased_then_read_whole(
    direction: str, young: Server, old: Server, fresh: Fresh, tmp_path: Path
) -> None:
    source, target = (old, young) if direction == "to lower numbers" else (young, old)
    events = [run_event(run_id=f"run {number}") for number in range(12)]
    dump = _dumped_store(source, Store(fresh(source)), events[:10], tmp_path)
    store = _restored(target, Store(fresh(target)), dump)
    with pytest.raises(StaleWatermark, match="Run `lineage db rebase`"):
        normalize(store, SerialRunner())
    put(store, events[10:])
    assert rebase(store).was_needed
    assert not rebase(store).was_needed
    assert normalize(store, SerialRunner(), slice_bytes=1_000).events == 12
    assert normalize(store, SerialRunner()).events == 0
    assert differences(store) == []
    assert contents(store) == _undisturbed(store, events)


def test_events_of_a_dump_whose_watermark_was_removed_are_read_whole_under_numbers_of_here(
    young: Server, old: Server, fresh: Fresh, tmp_path: Path
) -> None:
    dump = _dumped_store(old, Store(fresh(old)), [run_event(run_id=f"run {number}") for number in range(4)], tmp_path)
    store = _restored(young, Store(fresh(young)), dump)
    _settle(store, "DELETE FROM watermarks")
    outcome = normalize(store, SerialRunner())
    assert (outcome.events, outcome.renumbered) == (4, 4)
    assert not rebase(store).was_needed
    assert rows(store, "SELECT bool_and(arrived_xid = xmin::text::bigint) FROM lineage_events") == [(True,)]


def test_a_store_is_not_rebased_while_a_run_is_at_work(database: Store) -> None:
    with held_lease(database, WATERMARK), pytest.raises(LeaseTaken):
        rebase(database)


def test_the_command_says_what_it_did(database: Store) -> None:
    take_in(database, [run_event()])
    assert "nothing to do" in _lineage(database, "db", "rebase")
    _settle(database, "UPDATE watermarks SET system_identifier = 1")
    assert "marked for replay" in _lineage(database, "db", "rebase")
    assert normalize(database, SerialRunner()).events == 1


def _store(store: Store) -> Store:
    upgrade(store)
    return store


def _dumped_store(server: Server, store: Store, events: list[Any], folder: Path) -> Path:
    """The dump of a store that has normalized half of the events."""
    _store(store)
    take_in(store, events[::2])
    put(store, events[1::2])
    dump = folder / "store.dump"
    _run(server, "pg_dump", "--format=custom", f"--file={dump}", f"--dbname={store.dsn}")
    return dump


def _restored(server: Server, store: Store, dump: Path) -> Store:
    """As docs/how-to/restore-into-another-cluster.md says."""
    _run(server, "pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", f"--dbname={store.dsn}", str(dump))
    return _store(store)


def _run(server: Server, program: str, *arguments: str) -> None:
    command = [str(server.programs / program), *arguments]
    done = subprocess.run(command, env=inherited_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _lineage(store: Store, *words: str) -> str:
    environment = inherited_environment() | {"LINEAGE_DSN": store.dsn}
    return subprocess.run([LINEAGE, *words], env=environment, capture_output=True, text=True, check=True).stdout


def _undisturbed(store: Store, events: list[Any]) -> dict[str, list[str]]:
    empty(store)
    take_in(store, events)
    return contents(store)


def _prepare(store: Store, name: str, event: Any) -> None:
    with store.connect() as connection:
        _insert(connection, event)
        connection.execute(sql.SQL("PREPARE TRANSACTION {}").format(name))


def _settle(store: Store, statement: str) -> None:
    with store.connect(autocommit=True) as connection:
        connection.execute(statement.encode())


def _put_many(store: Store, number: int) -> None:
    """Events in many transactions' worth of rows, all of one run."""
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event) SELECT '2026-01-01Z', jsonb_set(%s::jsonb, '{run,runId}',"
            " to_jsonb(format('%%s of %%s', n, %s::int))) FROM generate_series(1, %s) AS n",
            [json.dumps(run_event()), number, number],
        )


def _insert(connection: Connection, event: Any) -> None:
    connection.execute(
        "INSERT INTO lineage_events (event_time, event) VALUES ('2026-01-01Z', %s::jsonb)", [json.dumps(event)]
    )


def _work_for_what_waits(store: Store) -> tuple[int, int]:
    """Rows and buffers of the query for what waits."""
    with store.connect() as connection:
        done = connection.execute("SELECT done::text, pg_current_snapshot()::text FROM watermarks").fetchone()
        assert done
        lowest = -(1 << 63)
        prefer_indexes(connection)
        parameters = {"done": done[0], "target": done[1], "after_first": lowest, "after_second": lowest}
        query = statements.named("normalize/waiting_by_arrival")
        plan = connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query}".encode(), parameters).fetchone()
    assert plan
    top = plan[0][0]["Plan"]
    return int(top["Actual Rows"]), top["Shared Hit Blocks"] + top["Shared Read Blocks"]


def _run_names(store: Store) -> set[str]:
    return {name for (name,) in rows(store, "SELECT external_id FROM runs")}
