"""The index that makes the migration's updates expensive goes when it is planned, and is back at its end."""

from __future__ import annotations

import threading
import time

import pytest
from psycopg import errors

from lineage_core.errors import NeedsOperator
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import end, indexes, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import normalize
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import dataset, named_job, run_event
from tests.support.lock_watch import lock_watch, readers
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.servers import jobs_login
from tests.support.stores import put, rows
from tests.support.waiting import until

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping, pytest.mark.both_servers, pytest.mark.slow]

NAME = "schema-versions"
INDEX = "dataset_versions_schema_version_index"


@pytest.fixture
def waiting(database: Store) -> Store:
    """A store with versions that wait for the migration."""
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", [("id", "INTEGER")]), 20)
    return database


@pytest.fixture(name="jobs_login")
def _jobs_login(waiting: Store, postgres_server: Server) -> Store:
    """The same store for a login that runs migrations, and owns nothing."""
    return jobs_login(postgres_server, waiting)


def working(database: Store) -> list[str]:
    """The index, if it is there and complete."""
    return [
        name
        for (name,) in rows(
            database,
            "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
            " WHERE indrelid = 'dataset_versions'::regclass AND indisvalid AND relname = %s",
            [INDEX],
        )
    ]


def answer_on_indexes(database: Store) -> str:
    """What the last plan stated of indexes."""
    return " ".join(
        detail
        for (detail,) in rows(database, "SELECT detail FROM migration_transitions WHERE event = 'index' ORDER BY id")
    )


def test_it_goes_with_the_plan_and_is_back_when_the_migration_is_finalized(waiting: Store) -> None:
    records.plan(waiting, NAME)
    assert working(waiting) == []
    assert records.status(waiting, NAME).indexes_set_aside == (INDEX,)
    assert f"{INDEX} is set aside" in answer_on_indexes(waiting)
    assert [difference for difference in whole_store.differences(waiting) if INDEX in difference]
    migrate(waiting, NAME, ThreadRunner())
    assert working(waiting) == []
    end.finalize(waiting, NAME)
    assert working(waiting) == [INDEX]
    assert records.status(waiting, NAME).indexes_set_aside == ()
    assert whole_store.differences(waiting) == []


def test_without_it_most_updates_write_to_no_index(waiting: Store) -> None:
    """Beside it none can: a row whose indexed column changes is new to all indexes."""
    with waiting.connect() as connection:
        connection.execute("ALTER TABLE dataset_versions SET (fillfactor = 40)")
        put_versions(connection, "orders", [], 200)
    migrate(waiting, NAME, ThreadRunner())
    counted = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relid = 'dataset_versions'::regclass"
    until(lambda: rows(waiting, counted)[0][0] >= 220)  # a session tells what it did when it ends, or later
    ((updates, on_their_page),) = rows(waiting, counted)
    assert on_their_page > updates / 2


def test_it_stays_where_few_versions_wait(database: Store) -> None:
    put(database, [run_event("COMPLETE", run_id=f"run {number}", outputs=[dataset()]) for number in range(20)])
    normalize(database, SerialRunner())
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", [("id", "INTEGER")]))
    records.plan(database, NAME)
    assert working(database) == [INDEX]
    assert answer_on_indexes(database) == ""


def test_it_stays_where_the_login_does_not_own_it(waiting: Store, jobs_login: Store) -> None:
    assert migrate(jobs_login, NAME, ThreadRunner()).changed == 20
    assert working(waiting) == [INDEX]
    assert "does not own it" in answer_on_indexes(waiting)
    end.finalize(jobs_login, NAME)


def test_only_its_owner_can_build_it_again(waiting: Store, jobs_login: Store) -> None:
    records.plan(waiting, NAME)
    migrate(jobs_login, NAME, ThreadRunner())
    with pytest.raises(NeedsOperator, match="only the owner of dataset_versions can build it again"):
        end.finalize(jobs_login, NAME)
    assert records.status(waiting, NAME).state == "finished"
    end.finalize(waiting, NAME)
    assert working(waiting) == [INDEX]


def test_it_stays_where_others_use_the_table_all_the_time(waiting: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexes, "DROP_ATTEMPTS", 2)
    with waiting.connect() as reader:
        reader.execute("SELECT FROM dataset_versions LIMIT 1")
        assert migrate(waiting, NAME, ThreadRunner()).changed == 20
    assert working(waiting) == [INDEX]
    assert "in use all the time" in answer_on_indexes(waiting)


def test_no_one_waits_long_for_the_plan_while_somebody_reads_for_long(waiting: Store) -> None:
    with (
        lock_watch(waiting) as longest,
        readers(waiting, "SELECT FROM dataset_versions LIMIT 100") as counted,
        waiting.connect() as report,
    ):
        report.execute("SELECT FROM dataset_versions")
        planning = threading.Thread(target=records.plan, args=(waiting, NAME))
        planning.start()
        time.sleep(1.5)
        assert planning.is_alive()
        report.rollback()
        planning.join()
    assert working(waiting) == []
    assert len(counted) > 100
    assert longest.seconds < 0.2


def test_what_a_crash_left_half_built_is_built_anew(waiting: Store) -> None:
    migrate(waiting, NAME, ThreadRunner())
    with waiting.connect() as writer, waiting.connect(autocommit=True) as builder:
        writer.execute("UPDATE dataset_versions SET lifecycle_state = ''")
        builder.execute("SET statement_timeout = '3s'")
        with pytest.raises(errors.QueryCanceled):
            builder.execute(f"CREATE INDEX CONCURRENTLY {INDEX} ON dataset_versions (dataset_schema_version_uuid)")
    assert rows(waiting, "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [INDEX]) == [(False,)]
    assert working(waiting) == []
    end.finalize(waiting, NAME)
    assert working(waiting) == [INDEX]
    assert whole_store.differences(waiting) == []


def test_what_is_cancelled_gets_it_back(waiting: Store, jobs_login: Store) -> None:
    records.plan(waiting, NAME)
    with pytest.raises(NeedsOperator, match="only the owner"):
        end.cancel(jobs_login, NAME)
    assert records.status(waiting, NAME).state == "cancelled"
    end.cancel(waiting, NAME)
    assert working(waiting) == [INDEX]


@pytest.mark.parametrize("ends", [end.finalize, end.cancel], ids=["finalized", "cancelled"])
def test_what_merges_leave_behind_meanwhile_goes_at_the_end(database: Store, ends: object) -> None:
    """A late writer takes a reader's version away: the schema versions of the read and of the write alone are left."""
    read = dataset("orders", "shop", fields=[("id", "INTEGER")])
    put(database, [run_event("COMPLETE", run_id="reader", job=named_job("reader"), inputs=[read])])
    normalize(database, SerialRunner())
    with database.connect() as connection:
        put_versions(connection, "orders", [])
    records.plan(database, NAME)
    written = dataset("orders", "shop", fields=[("total", "DECIMAL")])
    put(database, [run_event("COMPLETE", run_id="writer", time="2020-01-01T00:00:00Z", outputs=[written])])
    normalize(database, SerialRunner())
    unreferenced = (
        "SELECT count(*) FROM dataset_schema_versions AS stored WHERE NOT EXISTS"
        " (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = stored.uuid)"
    )
    assert rows(database, unreferenced) == [(2,)]
    if ends is end.finalize:
        migrate(database, NAME, ThreadRunner())
    ends(database, NAME)  # type: ignore[operator]
    assert rows(database, unreferenced) == [(0,)]
    assert working(database) == [INDEX]
