"""The long migration on a real Spark, and its commands as a script uses them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from pyspark.sql import SparkSession

from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.workers import WORKING, WorkerTask, migrate
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.spark.tasks import SparkRunner
from lineage_core.tasks import ThreadRunner
from tests.support.old_mappings import count, put_dataset, put_versions
from tests.support.spark_processes import PATIENCE_SECONDS, java_of, python_workers, wait_for
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark, pytest.mark.old_mapping]

LINEAGE = str(Path(sys.executable).with_name("lineage"))
NAME = "schema-versions"
COLUMNS = [(f"column_{number}", "INTEGER") for number in range(20)]


@pytest.fixture
def filled(database: Store) -> Store:
    with database.connect() as connection:
        put_versions(connection, "orders", put_dataset(connection, "orders", COLUMNS), 3_000)
    return database


def test_each_worker_is_a_task_of_spark(filled: Store, spark: SparkSession) -> None:
    status = migrate(filled, NAME, SparkRunner(spark.sparkContext), workers=2)
    assert (status.state, status.done, status.changed) == ("finished", 3_000, 3_000)
    assert rows(filled, "SELECT count(*) FROM migration_workers") == [(2,)]
    assert count(filled, "dataset_schema_versions_field_mapping") == 20


def test_a_task_whose_session_ends_is_run_again_and_goes_on(filled: Store, spark: SparkSession) -> None:
    """The session of the first attempt is ended by its first transaction."""
    with filled.connect() as connection:
        connection.execute("CREATE SEQUENCE attempts")
        connection.execute(
            "CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " IF nextval('attempts') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;"
            " RETURN new; END $$"
        )
        connection.execute(
            "CREATE TRIGGER interrupted BEFORE UPDATE ON dataset_versions"
            " FOR EACH STATEMENT EXECUTE FUNCTION interrupt()"
        )
    assert migrate(filled, NAME, SparkRunner(spark.sparkContext)).state == "finished"
    assert rows(filled, "SELECT count(*) FROM migration_workers") == [(2,)]
    assert rows(filled, "SELECT count(*) FROM migration_transitions WHERE event = 'interrupted'") == [(1,)]


def test_a_worker_that_needs_a_person_says_so_and_is_not_run_again(filled: Store, spark: SparkSession) -> None:
    with filled.connect() as connection:
        connection.execute("ALTER TABLE dataset_schema_versions RENAME COLUMN created_at TO made_at")
    with pytest.raises(NeedsOperator, match='column "created_at"'):
        migrate(filled, NAME, SparkRunner(spark.sparkContext))
    assert rows(filled, "SELECT count(*) FROM migration_workers") == [(1,)]


@pytest.mark.slow
def test_a_worker_whose_python_is_killed_is_run_again(filled: Store, spark: SparkSession) -> None:
    with ThreadPoolExecutor(1) as pool:
        with _ranges_held_up(filled) as workers_wait:
            status = pool.submit(migrate, filled, NAME, SparkRunner(spark.sparkContext), workers=2)
            workers_wait()
            for worker in python_workers():
                worker.kill()
        assert status.result(timeout=PATIENCE_SECONDS).state == "finished"
    assert_migrated(filled)


@pytest.mark.long
@pytest.mark.parametrize("victim", ["driver", "jvm"])
def test_what_a_killed_run_left_is_done_by_the_next(victim: str, filled: Store) -> None:
    environment = inherited_environment() | {"LINEAGE_DSN": filled.dsn}
    command = [LINEAGE, "migration", "run", NAME, "--workers", "2"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as driver:
        started = psutil.Process(driver.pid)
        with _ranges_held_up(filled) as workers_wait:
            workers_wait()
            family = started.children(recursive=True)
            (started if victim == "driver" else java_of(family)).kill()
            errors = driver.communicate(timeout=PATIENCE_SECONDS)[1]
        assert driver.returncode == (-9 if victim == "driver" else 1), errors
    wait_for(lambda: not any(process.is_running() for process in family), "the other processes of the run to end")
    assert migrate(filled, NAME, ThreadRunner(), workers=2).state == "finished"
    assert_migrated(filled)


@contextmanager
def _ranges_held_up(store: Store) -> Iterator[Callable[[], None]]:
    """No worker gets on with its range; what is yielded waits until one has a range."""
    running = "SELECT FROM migration_ranges WHERE state = 'running'"
    with store.connect() as connection:
        connection.execute("LOCK TABLE dataset_versions IN SHARE MODE")
        yield lambda: wait_for(lambda: bool(rows(store, running)), "a worker to have a range")


def assert_migrated(store: Store) -> None:
    status = records.status(store, NAME)
    assert (status.state, status.done, status.quarantined) == ("finished", 3_000, 0)
    assert count(store, "dataset_schema_versions") == 1
    assert count(store, "dataset_schema_versions_field_mapping") == 20
    assert rows(store, "SELECT FROM dataset_versions WHERE dataset_schema_version_uuid IS NULL") == []


def test_workers_that_cannot_work_are_reported(spark: SparkSession) -> None:
    with pytest.raises(TryAgain, match="A worker failed; what it did stays done"):
        list(
            SparkRunner(spark.sparkContext).results(
                WORKING, [WorkerTask(Store("postgresql://nobody@127.0.0.1:1/none"), NAME)]
            )
        )


@pytest.mark.slow
def test_the_whole_way_can_be_scripted(filled: Store) -> None:
    """Each command exits 0 only if what was asked has been reached."""
    assert lineage(filled, "status", NAME)[0] == 1
    assert lineage(filled, "finalize", NAME)[0] == 1
    code, output = lineage(filled, "run", NAME, "--workers", "2", "--json")
    assert code == 0
    assert json.loads(output.splitlines()[-1])["state"] == "finished"
    code, output = lineage(filled, "status", NAME, "--json")
    status: dict[str, Any] = json.loads(output)
    assert (status["state"], status["done"], status["total"], status["holds"]) == ("finished", 3_000, 3_000, [])
    assert status["rows_per_second"] > 0
    assert status["eta_seconds"] == 0
    assert lineage(filled, "cutover", NAME)[0] == 1
    assert lineage(filled, "drop", NAME)[0] == 1
    for command in ("finalize", "verify", "cutover", "rollback", "cutover", "drop"):
        assert lineage(filled, command, NAME)[0] == 0, command
    assert json.loads(lineage(filled, "status", "--json")[1])[0]["state"] == "dropped"
    assert lineage(filled, "run", NAME)[0] == 0, "its end was reached before"
    assert lineage(filled, "run", "nothing")[0] == 2
    assert records.status(filled, NAME).readers_read == "new"


def lineage(store: Store, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-c", "from lineage_core.cli import main; main()", "migration", *words],
        env=inherited_environment() | {"LINEAGE_DSN": store.dsn, "PYTHONPATH": str(PROJECT / "src")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout
