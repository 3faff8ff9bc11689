"""The long migration under kills: whatever is killed, and at whatever step, the next run makes the same tables."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.long_migrations.store import end, records
from lineage_core.long_migrations.workers import migrate
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.tasks import ThreadRunner
from tests.support.old_mappings import put_dataset, put_versions
from tests.support.servers import server_of_its_own, stop_immediately
from tests.support.stepped_runs import SteppedRuns, stepped_runs
from tests.support.stores import contents, differences, rows

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

NAME = "schema-versions"
VERSIONS = 30
SETTINGS = """UPDATE migrations SET settings = '{"start_rows": 7, "smallest_rows": 7, "largest_rows": 7}'"""

EACH = pytest.mark.parametrize("each", [5, pytest.param(1, marks=pytest.mark.long)], ids=["some", "every"])
"""At which of the steps to kill."""


@pytest.fixture(scope="module")
def runs() -> Iterator[SteppedRuns]:
    with stepped_runs(NAME) as started:
        yield started


@pytest.fixture(scope="module")
def own_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    version: int = pytestconfig.getoption("--postgres")
    with server_of_its_own(version) as server:
        whole_store.upgrade(Store(server.dsn()), with_old_mapping=True)
        yield server


def fill(database: Store) -> None:
    with database.connect() as connection:
        columns = put_dataset(connection, "orders", [("id", "INTEGER"), ("total", "DECIMAL"), ("tree", None)])
        put_versions(connection, "orders", columns[:2], VERSIONS // 3)
        put_versions(connection, "orders", columns, VERSIONS // 3)
        put_versions(connection, "orders", [], VERSIONS // 3)


def undo(database: Store) -> None:
    """The store as it was before the migration, planned anew, a few rows a transaction."""
    with database.connect() as connection:
        connection.execute("UPDATE dataset_versions SET dataset_schema_version_uuid = NULL")
        connection.execute("DELETE FROM dataset_schema_versions")
    records.plan(database, NAME)
    with database.connect() as connection:
        connection.execute(SETTINGS)


def steps_of(runs: SteppedRuns, database: Store) -> list[str]:
    undo(database)
    ended = runs.complete(database)
    assert (ended.signal, ended.error) == (0, None)
    assert sum(step.startswith(f"long_migrations/{NAME}/step ") for step in ended.steps) > 3, ended.steps
    return ended.steps


def finished(database: Store) -> dict[str, list[str]]:
    """All tables after the migration has been finalized."""
    status = records.status(database, NAME)
    assert (status.state, status.done, status.total, status.quarantined) == ("finished", VERSIONS, VERSIONS, 0)
    end.finalize(database, NAME)
    return contents(database)


def representative(steps: Sequence[str]) -> list[str]:
    return [step for number, step in enumerate(steps) if step.endswith(" 1") or number % 20 == 0]


@pytest.mark.slow
def test_the_worker_may_be_killed_wherever_it_is(runs: SteppedRuns, database: Store) -> None:
    fill(database)
    _walk_kills(runs, database, representative(steps_of(runs, database)))


@pytest.mark.long
def test_the_worker_may_be_killed_at_every_exchange_with_postgres(runs: SteppedRuns, database: Store) -> None:
    fill(database)
    _walk_kills(runs, database, steps_of(runs, database))


def _walk_kills(runs: SteppedRuns, database: Store, steps: Sequence[str]) -> None:
    wanted = finished(database)
    for step in steps:
        undo(database)
        killed = runs.killed(database, step)
        assert killed.signal == signal.SIGKILL, f"{step} was not reached: {killed.error}"
        assert runs.complete(database).error is None, step
        assert differences(finished(database), wanted) == {}, step


@pytest.mark.slow
@EACH
def test_the_plan_may_be_killed_wherever_it_is(runs: SteppedRuns, database: Store, each: int) -> None:
    fill(database)
    steps_of(runs, database)
    wanted = finished(database)
    undo(database)
    end.cancel(database, NAME)
    for step in runs.complete(database, "plan").steps[::each]:
        undo(database)
        end.cancel(database, NAME)
        assert runs.killed(database, step, "plan").signal == signal.SIGKILL, step
        assert (records.status(database, NAME).state == "planned") == bool(
            records.status(database, NAME).indexes_set_aside
        )
        assert runs.complete(database, "plan").error is None, step
        assert runs.complete(database).error is None, step
        assert differences(finished(database), wanted) == {}, step
        assert whole_store.differences(database) == [], step


@pytest.mark.slow
@EACH
def test_the_end_may_be_killed_wherever_it_is(runs: SteppedRuns, database: Store, each: int) -> None:
    """What it leaves is no orphan, and the index stands."""
    fill(database)
    steps_of(runs, database)
    leave_orphans(database)
    steps = runs.complete(database, "finalize").steps[::each]
    assert records.status(database, NAME).state == "finalized"
    wanted = contents(database)
    for step in steps:
        undo(database)
        assert runs.complete(database).error is None, step
        leave_orphans(database)
        assert runs.killed(database, step, "finalize").signal == signal.SIGKILL, step
        assert runs.complete(database, "finalize").error is None, step
        assert differences(contents(database), wanted) == {}, step
        assert whole_store.differences(database) == [], step


@pytest.mark.slow
@EACH
def test_the_cancel_may_be_killed_wherever_it_is(runs: SteppedRuns, database: Store, each: int) -> None:
    fill(database)
    undo(database)
    for step in runs.complete(database, "cancel").steps[::each]:
        undo(database)
        leave_orphans(database)
        assert runs.killed(database, step, "cancel").signal == signal.SIGKILL, step
        assert runs.complete(database, "cancel").error is None, step
        assert records.status(database, NAME).state == "cancelled"
        assert contents(database)["dataset_schema_versions"] == [], step
        assert whole_store.differences(database) == [], step


def leave_orphans(database: Store) -> None:
    """Schema versions that nothing has, more than are tidied at a time."""
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)"
            " SELECT gen_random_uuid(), uuid, now() FROM datasets, generate_series(1, %s)",
            [end.TIDIED + 1],
        )


def test_postgres_may_be_killed_wherever_the_worker_is(
    runs: SteppedRuns, own_server: Server, pytestconfig: pytest.Config
) -> None:
    database = Store(own_server.dsn())
    version: int = pytestconfig.getoption("--postgres")
    fill(database)
    steps = representative(steps_of(runs, database))
    wanted = finished(database)
    for step in islice(steps, 5, None, 8):
        undo(database)
        runs.paused(database, step)
        stop_immediately(own_server, version)
        assert postgres.start(own_server.passfile.parent, version).port == own_server.port
        interrupted = runs.go_on().error
        assert interrupted is None or interrupted.startswith("StoreUnavailable: "), step
        assert runs.complete(database).error is None, step
        assert differences(finished(database), wanted) == {}, step


def test_two_runners_cannot_take_one_range(runs: SteppedRuns, database: Store) -> None:
    """One stands still with a range; the other does the rest, and waits for it."""
    fill(database)
    step = next(step for step in steps_of(runs, database) if step.startswith(f"long_migrations/{NAME}/step "))
    undo(database)
    runs.paused(database, step)
    with database.connect(autocommit=True) as connection:
        claimed = connection.execute("SELECT id, worker FROM migration_ranges WHERE state = 'running'").fetchall()
    assert len(claimed) == 1
    assert _claims_of_another(database) == []
    assert runs.go_on().error is None
    assert records.status(database, NAME).state == "finished"


def _claims_of_another(database: Store) -> list[object]:
    from lineage_core.long_migrations.declared import long_migration
    from lineage_core.long_migrations.store.work import worker

    with worker(database, long_migration(NAME)) as other:
        claimed = other.claim()
    return [] if claimed is None else [claimed]


def test_a_worker_that_lost_its_session_writes_nothing_more(runs: SteppedRuns, database: Store) -> None:
    fill(database)
    step = [step for step in steps_of(runs, database) if step.startswith(f"long_migrations/{NAME}/step ")][3]
    undo(database)
    process = runs.paused(database, step)
    os.kill(process, signal.SIGSTOP)
    with database.connect(autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lineage migration'"
        )
    time.sleep(0.2)
    assert migrate(database, NAME, ThreadRunner()).state == "finished"
    before = contents(database)
    os.kill(process, signal.SIGCONT)
    assert str(runs.go_on().error).startswith("StoreUnavailable: ")
    assert contents(database) == before
    assert rows(database, "SELECT count(*) FROM migration_transitions WHERE event = 'interrupted'") == [(1,)]
