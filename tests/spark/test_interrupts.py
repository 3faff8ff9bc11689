"""Commands and jobs on a real Spark are interrupted wherever they are: no JVM, driver or worker is left."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import psutil
import pytest

from lineage_core.airflow.operators import NormalizeLineageOperator
from lineage_core.interrupts import SIGNALS
from lineage_core.local.java import java_home
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, ProjectSettings, inherited_environment
from lineage_core.submission import short_runs
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset, run_event
from tests.support.interrupted_commands import LINEAGE, Command, Ended, running, wait_until
from tests.support.stores import put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

NORMALIZE = [LINEAGE, "normalize", "--master", "local[2,4]", "--slice-bytes", "20000"]
SPARK_SUBMIT = str(Path(sys.executable).with_name("spark-submit"))
EVENTS = 20
GOES_ON = "`lineage normalize` continues from there."

Waiting = tuple[str, signal.Signals]
WHERE_IT_WAITS = [
    ("staging.runs", signal.SIGINT),
    ("staging.runs", signal.SIGTERM),
    ("public.runs", signal.SIGINT),
    ("public.runs", signal.SIGTERM),
]
"""Tables whose lock it waits for: in its tasks, and in its merge."""


def _put(database: Store) -> None:
    put(
        database,
        [run_event(run_id=f"run {number}", outputs=[dataset(fields=[("id", "INT")])]) for number in range(EVENTS)],
    )


def _assert_interrupted(ended: Ended, number: signal.Signals) -> None:
    assert (ended.code, ended.written, ended.left) == (128 + number, "", [])
    ours = [line for line in ended.errors.splitlines() if line.startswith("lineage: ")]
    assert len(ours) == 1
    assert ours[0].startswith(f"lineage: interrupted by {number.name}. ")
    assert not [
        line for line in ended.errors.splitlines() if line.startswith(("spark: ", "Traceback", "Exception", " "))
    ]


def _assert_it_goes_on(database: Store) -> None:
    normalize(database, SerialRunner())
    assert rows(database, "SELECT count(*) FROM runs") == [(EVENTS,)]


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_nothing_is_left_of_a_jvm_that_starts(database: Store, number: signal.Signals) -> None:
    """PySpark takes away the folder where such a JVM is to say its address; without that it went on for ever."""
    _put(database)
    with running(NORMALIZE, {"LINEAGE_DSN": database.dsn}) as command:
        wait_until(lambda: _java(command) is not None)
        command.send(number)
        ended = command.ended()
    _assert_interrupted(ended, number)
    assert GOES_ON in ended.errors
    _assert_it_goes_on(database)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "number"), [*WHERE_IT_WAITS[1:3]])
def test_tasks_and_merges_are_broken_off_without_a_word_of_java(
    database: Store, table: str, number: signal.Signals
) -> None:
    interrupt_where_it_waits(database, table, number)


@pytest.mark.long
@pytest.mark.parametrize(("table", "number"), [WHERE_IT_WAITS[0], WHERE_IT_WAITS[3]])
def test_the_other_signal_breaks_them_off_too(database: Store, table: str, number: signal.Signals) -> None:
    interrupt_where_it_waits(database, table, number)


def interrupt_where_it_waits(database: Store, table: str, number: signal.Signals) -> None:
    _put(database)
    with running(NORMALIZE, {"LINEAGE_DSN": database.dsn}) as command, _held_up(database, table):
        command.send(number)
        _assert_interrupted(command.ended(), number)
    _assert_it_goes_on(database)


@pytest.mark.long
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_run_may_be_interrupted_at_any_moment(database: Store, number: signal.Signals) -> None:
    """Some moments of each second from its beginning to its end."""
    moments = random.Random(int(number))
    began = time.monotonic()
    _put(database)
    with running(NORMALIZE, {"LINEAGE_DSN": database.dsn}) as command:
        assert command.ended().code == 0
    lasted = time.monotonic() - began
    for part in range(16):
        put(database, [run_event(run_id=f"run {part}")])
        with running(NORMALIZE, {"LINEAGE_DSN": database.dsn}) as command:
            time.sleep((part + moments.random()) / 16 * lasted)
            command.send(number)
            ended = command.ended()
        assert ended.left == []
        if ended.code != 0:
            _assert_interrupted(ended, number)
    _assert_it_goes_on(database)


@pytest.mark.long
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_the_workers_of_a_migration_end_with_it(database: Store, number: signal.Signals) -> None:
    put(database, [run_event(run_id=f"run {each}") for each in range(2000)])
    with running([LINEAGE, "migration", "run", "facets", "--workers", "2"], {"LINEAGE_DSN": database.dsn}) as command:
        wait_until(lambda: bool(rows(database, "SELECT FROM migration_workers")))
        command.send(number)
        ended = command.ended()
    _assert_interrupted(ended, number)
    assert "`lineage migration run` continues from there." in ended.errors


@pytest.mark.slow
def test_a_task_of_airflow_that_is_killed_leaves_no_driver(database: Store) -> None:
    _put(database)
    with _submitted(database) as command, _held_up(database, "staging.runs"):
        operator = NormalizeLineageOperator(task_id="normalize")
        operator._hook = Mock(_is_yarn_cluster_mode=False, _is_kubernetes=False, _submit_sp=command.process)
        operator._hook.on_kill = command.process.kill
        assert len(command.family()) > 3
        operator.on_kill()
        assert command.ended().left == []
    _assert_it_goes_on(database)


@pytest.mark.long
def test_a_driver_whose_spark_submit_was_killed_ends_by_itself(database: Store) -> None:
    """As the out-of-memory killer does."""
    _put(database)
    with _submitted(database) as command, _held_up(database, "public.runs"):
        command.process.kill()
        wait_until(lambda: not command.family())
    _assert_it_goes_on(database)


@pytest.mark.long
@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_submitted_job_says_what_stays_and_spark_submit_gives_its_code(
    database: Store, number: signal.Signals
) -> None:
    _put(database)
    with _submitted(database) as command, _held_up(database, "staging.runs"):
        driver = next(process for process in command.family() if "normalize_lineage.py" in process.cmdline()[1:2][0])
        driver.send_signal(number)
        ended = command.ended()
    assert (ended.code, ended.left) == (128 + number, [])
    assert f"lineage: interrupted by {number.name}. What was merged stays; {GOES_ON}" in ended.written
    _assert_it_goes_on(database)


@contextmanager
def _submitted(database: Store) -> Iterator[Command]:
    settings, inherited = ProjectSettings.from_environment(), inherited_environment()
    java = java_home(settings.home, inherited.get("JAVA_HOME"), inherited.get("PATH"))
    environment = {"LINEAGE_DSN": database.dsn, "JAVA_HOME": str(java), "PYSPARK_PYTHON": sys.executable}
    job = str(PROJECT / "spark_jobs" / "normalize_lineage.py")
    options = [word for name, value in short_runs(settings.home).items() for word in ("--conf", f"{name}={value}")]
    submit = [SPARK_SUBMIT, "--master", "local[2,4]", *options, job]
    with running(submit, environment, is_awaited=False) as command:
        yield command


@contextmanager
def _held_up(database: Store, table: str) -> Iterator[None]:
    """Whoever writes to the table waits; the block begins when somebody does."""
    with database.connect() as connection:
        connection.execute(f"LOCK TABLE {table} IN SHARE MODE".encode())
        query = f"SELECT FROM pg_locks WHERE relation = '{table}'::regclass AND NOT granted"
        wait_until(lambda: bool(rows(database, query)))
        yield


def _java(command: Command) -> psutil.Process | None:
    return next((process for process in command.family() if _name(process) == "java"), None)


def _name(process: psutil.Process) -> Any:
    try:
        return process.name()
    except psutil.Error:
        return ""
