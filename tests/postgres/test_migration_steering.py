"""A long migration while it runs: commands, holds, live normalization and readers beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lineage_core import cli
from lineage_core.errors import LineageError, NeedsOperator
from lineage_core.long_migrations.declared.schema_versions import MIGRATION
from lineage_core.long_migrations.store import end, hold_queries, records
from lineage_core.long_migrations.store.health import Health
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.connection import run_script
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import dataset, named_job, run_event
from tests.support.lock_watch import lock_watch, readers
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.stores import put, rows
from tests.support.waiting import until

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

NAME = "schema-versions"
COLUMNS = [(f"column_{number}", "INTEGER") for number in range(5)]
LONGEST_LOCK = 0.2
PATIENCE = 20.0


@pytest.fixture
def filled(database: Store) -> Store:
    """A planned migration that takes some seconds, as it rests after each transaction."""
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS), 2_000)
    records.plan(database, NAME)
    for setting, value in {"largest_rows": "100", "check_seconds": "0.05", "hold_seconds": "0.3"}.items():
        records.change_setting(database, NAME, setting, value)
    return database


@contextmanager
def running(store: Store, workers: int = 1) -> Iterator[threading.Thread]:
    """The migration in the background; the block must let it end."""
    errors: list[LineageError] = []

    def run() -> None:
        try:
            migrate(store, NAME, ThreadRunner(), workers)
        except LineageError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield thread
    finally:
        with store.connect() as connection:
            connection.execute("UPDATE migrations SET settings = '{}'")
        thread.join(PATIENCE)
    assert not thread.is_alive()
    if errors:
        raise errors[0]


def slow(store: Store) -> None:
    records.change_setting(store, NAME, "nice", "20")


def done(store: Store) -> int:
    return records.status(store, NAME).done


def test_it_pauses_at_once_and_goes_on_where_it_was(filled: Store) -> None:
    slow(filled)
    with running(filled):
        until(lambda: done(filled) > 0)
        records.pause(filled, NAME)
        time.sleep(0.5)
        before = records.status(filled, NAME)
        assert (before.state, before.workers) == ("paused", 1)
        assert 0 < before.done < before.total
        time.sleep(0.5)
        assert done(filled) == before.done
        records.resume(filled, NAME)
        until(lambda: done(filled) > before.done)
    assert records.status(filled, NAME).state == "finished"


def test_to_steer_again_to_where_it_is_changes_nothing_and_is_no_error(
    filled: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an attempt does whose answer was lost, or a second person."""
    monkeypatch.setenv("LINEAGE_DSN", filled.dsn)
    records.plan(filled, NAME)
    for command, answer in (("pause", "is paused"), ("resume", "goes on"), ("cancel", "is cancelled")):
        for again in (False, True):
            with pytest.raises(SystemExit) as ended:
                cli.main(["migration", command, NAME])
            assert ended.value.code == 0
            already = " already." if again and command != "cancel" else ""
            assert f"{NAME} {answer}{already}" in capsys.readouterr().out
    events = [event for (event,) in rows(filled, "SELECT event FROM migration_transitions ORDER BY id")]
    assert (events.count("paused"), events.count("running")) == (1, 1)


def test_what_it_is_not_at_is_still_refused(filled: Store) -> None:
    records.plan(filled, NAME)
    with pytest.raises(NeedsOperator, match="only what is paused can be resumed"):
        records.resume(filled, NAME)


def test_it_is_cancelled_and_what_is_done_stays_done(filled: Store) -> None:
    slow(filled)
    with pytest.raises(NeedsOperator, match="cancelled"), running(filled):
        until(lambda: done(filled) > 0)
        end.cancel(filled, NAME)
    migrated = rows(filled, "SELECT count(*) FROM dataset_versions WHERE dataset_schema_version_uuid IS NOT NULL")[0][0]
    assert 0 < migrated < 2_000
    with pytest.raises(NeedsOperator, match="starts over"):
        migrate(filled, NAME, ThreadRunner())
    records.plan(filled, NAME)
    assert migrate(filled, NAME, ThreadRunner()).changed == 2_000 - migrated


def test_what_is_planned_anew_is_not_the_work_of_those_who_were_at_it(filled: Store) -> None:
    """The cancel and the plan come before the workers look up."""
    slow(filled)
    with pytest.raises(NeedsOperator, match="did not reach its end"), running(filled):
        until(lambda: done(filled) > 0)
        records.stop_work(filled, NAME)
        records.plan(filled, NAME)
        until(lambda: records.status(filled, NAME).workers == 0)
        assert (records.status(filled, NAME).state, done(filled)) == ("planned", 0)
    assert migrate(filled, NAME, ThreadRunner()).state == "finished"


def test_a_rest_ends_with_a_cancel(filled: Store) -> None:
    records.change_setting(filled, NAME, "nice", "100000")
    with pytest.raises(NeedsOperator, match="cancelled"), running(filled):
        until(lambda: done(filled) > 0)
        end.cancel(filled, NAME)
        until(lambda: records.status(filled, NAME).workers == 0)


def test_a_setting_acts_while_it_runs(filled: Store) -> None:
    slow(filled)
    with running(filled):
        until(lambda: done(filled) > 0)
        records.change_setting(filled, NAME, "nice", "0")
        until(lambda: records.status(filled, NAME).state == "finished")


def test_the_status_tells_rate_and_end_also_while_it_is_paused(filled: Store) -> None:
    slow(filled)
    with running(filled):
        until(lambda: done(filled) >= 300)
        records.pause(filled, NAME)
        status = records.status(filled, NAME)
        assert status.efficiency is not None
        assert status.efficiency > 0
        assert status.rows_per_second is not None
        assert status.rows_per_second > 0
        assert status.eta_seconds_least is not None
        assert status.eta_seconds is not None
        assert status.eta_seconds_most is not None
        assert 0 < status.eta_seconds_least <= status.eta_seconds <= status.eta_seconds_most
        assert 0 < status.percent < 100
        records.resume(filled, NAME)


class TestHolds:
    def test_a_query_of_the_operator_holds_it(self, filled: Store) -> None:
        with filled.connect() as connection:
            run_script(connection, "CREATE TABLE busy (is_busy boolean); INSERT INTO busy VALUES (true)")
            run_script(connection, "GRANT SELECT ON busy TO lineage_reader")
        assert hold_queries.add(filled, "busy", "SELECT is_busy FROM busy") == 1
        records.change_setting(filled, NAME, "hold_query", "busy")
        with running(filled):
            until(lambda: bool(records.status(filled, NAME).holds))
            (hold,) = records.status(filled, NAME).holds
            assert (hold.signal, hold.detail) == ("hold query", "the query of the operator says 1")
            assert hold.until > hold.since
            before = done(filled)
            time.sleep(0.7)
            assert done(filled) == before
            with filled.connect() as connection:
                connection.execute("UPDATE busy SET is_busy = false")
            until(lambda: records.status(filled, NAME).state == "finished")
        status = records.status(filled, NAME)
        assert status.holds == ()
        assert status.held_seconds["hold query"] >= 0.7
        transitions = rows(
            filled, "SELECT event FROM migration_transitions WHERE event IN ('held', 'released') ORDER BY id"
        )
        # On a busy machine a hold of 0.3 seconds may be over before it is looked at again, and begins anew.
        assert transitions == [("held",), ("released",)] * (len(transitions) // 2) != []

    def test_a_vacuum_of_the_table_holds_it(self, filled: Store) -> None:
        """Its lock stands for it."""
        with filled.connect() as vacuum:
            vacuum.execute("LOCK dataset_versions IN SHARE UPDATE EXCLUSIVE MODE")
            with running(filled):
                until(lambda: bool(records.status(filled, NAME).holds))
                (hold,) = records.status(filled, NAME).holds
                assert (hold.signal, hold.detail) == ("vacuum", "a vacuum is at work on dataset_versions")
                assert done(filled) == 0
                vacuum.rollback()
                until(lambda: done(filled) > 0)

    def test_a_long_transaction_holds_it(self, filled: Store) -> None:
        records.change_setting(filled, NAME, "largest_transaction_age", "0.2")
        with filled.connect() as other:
            other.execute("SELECT FROM runs")
            time.sleep(0.3)
            with running(filled):
                until(lambda: bool(records.status(filled, NAME).holds))
                (hold,) = records.status(filled, NAME).holds
                assert hold.signal == "long transaction"
                other.rollback()
                until(lambda: done(filled) > 0)

    def test_a_high_rate_of_the_log_holds_it(self, filled: Store) -> None:
        slow(filled)
        records.change_setting(filled, NAME, "largest_wal_rate", "1")
        with running(filled):
            until(lambda: "wal rate" in {hold.signal for hold in records.status(filled, NAME).holds})

    def test_a_query_that_fails_is_reported(self, filled: Store) -> None:
        with filled.connect() as connection:
            connection.execute("INSERT INTO hold_queries VALUES ('gone', 'SELECT 1 FROM nothing_of_that_name')")
        records.change_setting(filled, NAME, "hold_query", "gone")
        with pytest.raises(NeedsOperator, match="nothing_of_that_name"), running(filled):
            time.sleep(0.5)

    def test_a_query_that_takes_too_long_holds_it(self, filled: Store) -> None:
        with filled.connect() as connection:
            connection.execute("INSERT INTO hold_queries VALUES ('slow', 'SELECT 0 FROM pg_sleep(60)')")
        records.change_setting(filled, NAME, "hold_query", "slow")
        with running(filled):
            until(lambda: bool(records.status(filled, NAME).holds))
            assert records.status(filled, NAME).holds[0].signal == "hold query"
            records.change_setting(filled, NAME, "hold_query", "")

    def test_a_cancel_ends_the_holds(self, filled: Store) -> None:
        hold_queries.add(filled, "always", "SELECT 1")
        records.change_setting(filled, NAME, "hold_query", "always")
        with pytest.raises(NeedsOperator, match="cancelled"), running(filled):
            until(lambda: bool(records.status(filled, NAME).holds))
            end.cancel(filled, NAME)
        assert records.status(filled, NAME).holds == ()

    def test_the_first_look_of_a_worker_does_not_end_what_another_saw_of_the_log(self, filled: Store) -> None:
        settings = records.change_setting(filled, NAME, "largest_wal_rate", "1")
        with filled.connect(autocommit=True) as connection, filled.connect(autocommit=True) as another:
            seeing = Health(filled, connection, MIGRATION)
            seeing.judge(settings)
            rows(filled, "SELECT 1 FROM pg_logical_emit_message(true, 'test', repeat('x', 100000))")
            assert [reason.signal for reason in seeing.judge(settings)] == ["wal rate"]
            Health(filled, another, MIGRATION).judge(settings)
            assert [hold.signal for hold in records.status(filled, NAME).holds] == ["wal rate"]


def test_what_the_migration_refers_to_at_this_moment_is_not_removed_by_a_merge(database: Store) -> None:
    """A late writer takes away the version that a reader made, and with it the only known reference to its schema."""
    read = dataset("orders", "shop", fields=[("id", "INTEGER")])
    put(database, [run_event("COMPLETE", run_id="reader", job=named_job("reader"), inputs=[read])])
    normalize(database, SerialRunner())
    ((schema,),) = rows(database, "SELECT uuid FROM dataset_schema_versions")
    written = dataset("orders", "shop", fields=[("total", "DECIMAL")])
    put(database, [run_event("COMPLETE", run_id="writer", time="2020-01-01T00:00:00Z", outputs=[written])])
    with database.connect() as connection:
        (version,) = put_versions(connection, "orders", [])
    with database.connect() as migration:
        migration.execute(
            "UPDATE dataset_versions SET dataset_schema_version_uuid = %s WHERE uuid = %s", [schema, version]
        )
        merge = threading.Thread(target=normalize, args=(database, SerialRunner()))
        merge.start()
        until(lambda: _is_waiting(database))
        migration.commit()
        merge.join(PATIENCE)
    assert rows(database, "SELECT dataset_schema_version_uuid FROM dataset_versions WHERE uuid = %s", [version]) == [
        (schema,)
    ]
    assert rows(database, "SELECT count(*) FROM dataset_versions WHERE run_uuid IS NOT NULL") == [(1,)]


def _is_waiting(store: Store) -> bool:
    return rows(store, "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)") == [(True,)]


@pytest.mark.slow
def test_live_normalization_and_readers_go_on_beside_it(database: Store) -> None:
    """Both write schema versions of the same datasets, from the plan to the end; all that is left agrees."""
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS), 40_000)
    with lock_watch(database) as longest, readers(database, "SELECT FROM dataset_versions LIMIT 100") as counted:
        with running(database, workers=2):
            number = 0
            while records.statuses(database) == [] or records.status(database, NAME).state != "finished":
                fields = COLUMNS[: 1 + number % 5]
                event = run_event(
                    "COMPLETE", run_id=f"run {number}", outputs=[dataset("orders", "shop", fields=fields)]
                )
                put(database, [event])
                assert normalize(database, SerialRunner()).events == 1
                number += 1
        assert records.status(database, NAME).indexes_set_aside
        end.finalize(database, NAME)
        found = end.verify(database, NAME)
    assert number > 1
    assert len(counted) > 100
    assert longest.seconds < LONGEST_LOCK
    assert found.is_good
    assert found.sums["versions"] == 40_000 + number
