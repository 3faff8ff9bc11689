"""A password in a DSN shows in no process list, log or error of a run on Spark."""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from psycopg.conninfo import conninfo_to_dict
from pyspark.sql import SparkSession

from lineage_core.errors import TryAgain
from lineage_core.local.ports import HOST
from lineage_core.local.postgres import ROLE, Server
from lineage_core.normalize.store.attempts import start_staging
from lineage_core.normalize.store.staging import StagingTask
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.spark.tasks import SparkRunner
from lineage_core.submission import WORKERS_DAEMON
from lineage_core.testing import run_event
from tests.support.stores import put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

PROGRAMS = Path(sys.executable).parent
COMMANDS = {
    "lineage": [str(PROGRAMS / "lineage"), "normalize", "--master=local[1]", "--json"],
    "spark-submit": [str(PROGRAMS / "spark-submit"), "--master=local[1]", "spark_jobs/normalize_lineage.py", "--json"],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_process_of_a_run_has_the_password_in_its_arguments_or_says_it(
    postgres_server: Server, database: Store, command: str
) -> None:
    put(database, [run_event("START"), run_event("COMPLETE")])
    password = postgres_server.password(ROLE)
    name = conninfo_to_dict(database.dsn)["dbname"]
    dsn = f"postgresql://{ROLE}:{password}@{HOST}:{postgres_server.port}/{name}"
    seen: set[str] = set()
    with subprocess.Popen(
        COMMANDS[command],
        cwd=PROJECT,
        env=inherited_environment() | {"LINEAGE_DSN": dsn, "PYSPARK_PYTHON": sys.executable},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        while process.poll() is None:
            seen |= {word for member in _family(process.pid) for word in _arguments(member)}
            time.sleep(0.02)
        assert process.stdout
        printed = process.stdout.read()
    assert process.returncode == 0, printed
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(2,)]
    assert any("java" in word for word in seen)
    assert any(WORKERS_DAEMON in word for word in seen)
    assert [word for word in seen if password in word or "passfile" in word] == []
    assert password not in printed


def _family(pid: int) -> list[psutil.Process]:
    """The process and all below it; none where one of them has just ended."""
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    return []


def _arguments(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return process.cmdline()
    return []


@pytest.mark.parametrize("apart", [False, True], ids=["in the worker", "in a process of its own"])
def test_a_task_that_cannot_connect_says_where_and_not_by_which_password(spark: SparkSession, apart: bool) -> None:
    dsn = f"postgresql://nobody:k4n4ry@{HOST}:1/none?passfile=/k4n4ry"
    broken = StagingTask(Store(dsn), "staging", 1, 1, 0, "normalize/part_by_arrival", {}, apart)
    with pytest.raises(TryAgain) as failed:
        start_staging(SparkRunner(spark.sparkContext), [broken])()
    message = "\n".join(traceback.format_exception(failed.value))
    assert f"nobody@{HOST}:1/none" in message
    assert "k4n4ry" not in message
