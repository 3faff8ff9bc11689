"""Law 1 under kills: whatever is killed, and at whatever step, the next run makes the same tables."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.normalize.normalization import normalize
from lineage_core.operate.whole_store import upgrade
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, named_job, run_event
from tests.support.servers import server_of_its_own, stop_immediately
from tests.support.stepped_runs import SteppedRuns, stepped_runs
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = pytest.mark.postgres

OF_THE_MERGE = ("model/merge/", "model/derive/")
"""How the names of the statements of a merge begin."""

SHORT_LEASE = 1.0
NEXT_RUN_SECONDS = 10.0
"""In which a run after a kill is done: far below the minute that a lease is valid."""


@pytest.fixture(scope="module")
def runs() -> Iterator[SteppedRuns]:
    with stepped_runs() as started:
        yield started


@pytest.fixture(scope="module")
def own_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """A server that may be killed; what it commits survives that, for the machine goes on."""
    version: int = pytestconfig.getoption("--postgres")
    with server_of_its_own(version) as server:
        upgrade(Store(server.dsn()))
        yield server


@pytest.mark.slow
def test_the_driver_may_be_killed_wherever_it_is(runs: SteppedRuns, database: Store) -> None:
    walk_kills(runs, database, representative(steps_of(runs, database)), runs_between=False)


@pytest.mark.long
def test_the_driver_may_be_killed_at_every_exchange_with_postgres(runs: SteppedRuns, database: Store) -> None:
    walk_kills(runs, database, steps_of(runs, database), runs_between=True)


@pytest.mark.slow
def test_postgres_may_be_killed_wherever_the_driver_is(
    runs: SteppedRuns, own_server: Server, pytestconfig: pytest.Config
) -> None:
    steps = representative(steps_of(runs, Store(own_server.dsn())))
    walk_crashes(runs, own_server, pytestconfig, list(islice(steps, 4, None, 9)))


@pytest.mark.long
def test_postgres_may_be_killed_at_every_place(
    runs: SteppedRuns, own_server: Server, pytestconfig: pytest.Config
) -> None:
    walk_crashes(runs, own_server, pytestconfig, representative(steps_of(runs, Store(own_server.dsn()))))


@pytest.mark.parametrize("place", ["stage", "merge", "finish"])
def test_an_orphan_that_comes_back_after_its_lease_was_taken_changes_nothing(
    place: str, runs: SteppedRuns, database: Store
) -> None:
    bring_an_orphan_back(place, runs, database)


def bring_an_orphan_back(place: str, runs: SteppedRuns, database: Store) -> None:
    step = f"{place} 1"
    put(database, _chunk(step))
    orphan = runs.paused(database, step, seconds_valid=SHORT_LEASE)
    os.kill(orphan, signal.SIGSTOP)
    time.sleep(2 * SHORT_LEASE)
    normalize(database, SerialRunner(), slice_bytes=10_000)
    put(database, _chunk("later"))
    normalize(database, SerialRunner())
    before = contents(database), _work_done(database)
    os.kill(orphan, signal.SIGCONT)
    ended = runs.go_on()
    assert ended.error is not None
    assert ended.error.startswith("LeaseLost: ")
    assert (contents(database), _work_done(database)) == before


@pytest.mark.long
def test_an_orphan_that_stands_still_in_its_merge_keeps_others_out_for_a_minute_and_not_for_ever(
    runs: SteppedRuns, database: Store
) -> None:
    step = [step for step in steps_of(runs, database) if step.startswith(OF_THE_MERGE)][5]
    put(database, _chunk(step))
    orphan = runs.paused(database, step, seconds_valid=SHORT_LEASE)
    os.kill(orphan, signal.SIGSTOP)
    assert normalize(database, SerialRunner()).events == 2
    before = contents(database)
    os.kill(orphan, signal.SIGCONT)
    assert str(runs.go_on().error).startswith(("StoreUnavailable: ", "LeaseLost: "))
    assert contents(database) == before


def test_a_run_that_was_killed_leaves_no_wait_behind(runs: SteppedRuns, database: Store) -> None:
    step = next(step for step in steps_of(runs, database) if step.startswith(OF_THE_MERGE))
    put(database, _chunk(step))
    assert runs.killed(database, step).signal == signal.SIGKILL
    started = time.monotonic()
    normalize(database, SerialRunner())
    assert time.monotonic() - started < NEXT_RUN_SECONDS


def test_a_run_after_an_interrupted_one_takes_in_what_arrived_since(runs: SteppedRuns, database: Store) -> None:
    step = next(step for step in steps_of(runs, database) if step.startswith(OF_THE_MERGE))
    put(database, _chunk(step))
    assert runs.killed(database, step).signal == signal.SIGKILL
    put(database, _chunk("since"))
    assert normalize(database, SerialRunner()).events == 4


def steps_of(runs: SteppedRuns, store: Store) -> list[str]:
    """The steps of an undisturbed run that takes in two slices and a document for the quarantine."""
    empty(store)
    put(store, _chunk("undisturbed"))
    ended = runs.complete(store)
    assert (ended.signal, ended.error) == (0, None)
    assert sum(step.startswith(OF_THE_MERGE) for step in ended.steps) > 40
    empty(store)
    return ended.steps


def representative(steps: Sequence[str]) -> list[str]:
    """The first exchange at each step but those of the merge itself, and some of the others."""
    return [
        step
        for number, step in enumerate(steps)
        if (step.endswith(" 1") and not step.startswith(OF_THE_MERGE)) or number % 20 == 0
    ]


def walk_kills(runs: SteppedRuns, store: Store, steps: Sequence[str], *, runs_between: bool) -> None:
    """Without runs between, each killed run first has to make good what the killed ones before it left."""
    wanted = _undisturbed(store, steps)
    for step in steps:
        put(store, _chunk(step))
        killed = runs.killed(store, step)
        assert killed.signal == signal.SIGKILL, f"{step} was not reached: {killed.error}"
        if runs_between:
            assert runs.complete(store).error is None, step
    assert runs.complete(store).error is None
    _assert_same(store, wanted)


def walk_crashes(runs: SteppedRuns, server: Server, config: pytest.Config, steps: Sequence[str]) -> None:
    store = Store(server.dsn())
    wanted = _undisturbed(store, steps)
    for step in steps:
        put(store, _chunk(step))
        runs.paused(store, step)
        _crash(server, config)
        interrupted = runs.go_on().error
        assert interrupted is None or interrupted.startswith(("StoreUnavailable: ", "TryAgain: ")), step
        assert runs.complete(store).error is None, step
    _assert_same(store, wanted)


def _crash(server: Server, config: pytest.Config) -> None:
    version: int = config.getoption("--postgres")
    stop_immediately(server, version)
    assert postgres.start(server.passfile.parent, version).port == server.port


def _undisturbed(store: Store, steps: Sequence[str]) -> tuple[Any, ...]:
    """What the tables hold if nothing is killed; the store is left empty."""
    take_in(store, [event for step in steps for event in _chunk(step)])
    wanted = contents(store), _raw(store)
    empty(store)
    return wanted


def _assert_same(store: Store, wanted: tuple[Any, ...]) -> None:
    tables, raw = wanted
    assert differences(contents(store), tables) == {}
    assert _raw(store) == raw


def _raw(store: Store) -> list[Any]:
    """Raw events and quarantine, without numbers that count attempts."""
    return [
        rows(store, "SELECT event::text, created_at FROM lineage_events ORDER BY 1"),
        rows(store, "SELECT digest, reason, path, raw, source FROM quarantine ORDER BY 1"),
    ]


def _work_done(store: Store) -> list[Any]:
    return [
        rows(store, "SELECT done::text, target::text, cursor_xid, cursor_seq FROM watermarks"),
        rows(store, "SELECT epoch FROM leases"),
        _raw(store),
    ]


def _chunk(label: str) -> list[dict[str, Any]]:
    """A run in two slices, and a document for the quarantine, all named for the step at which they are taken in."""
    number = sum(label.encode())
    described = dataset("orders", fields=[("id", "BIGINT"), (f"column_{number % 5}", "TEXT")])
    job = named_job(f"job {number % 3}")
    bad = run_event(run_id=f"bad {label}", facets={"f" * 300: {}})
    return [
        run_event(kind, run_id=label, job=job, time=TIME.replace(minute=number % 59, second=second), inputs=[described])
        for second, kind in enumerate(("START", "COMPLETE"))
    ] + [bad]
