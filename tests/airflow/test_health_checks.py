"""`lineage doctor` beside a real Airflow: each fault of Airflow that it knows, made on purpose, is found and named."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from lineage_core.airflow import checks
from lineage_core.capability import HealthCheck
from lineage_core.declare.registry import values_in
from lineage_core.local.airflow import _inherited
from lineage_core.postgres.store import Store
from lineage_core.streams.store.switches import start, stop
from tests.airflow.conftest import Platform

pytestmark = pytest.mark.airflow

LINEAGE = str(Path(sys.executable).with_name("lineage"))
PAUSED = "The DAG normalize_lineage is paused, so no events are normalized by schedule"

FAULTS = {
    "airflow_pool": (
        "UPDATE slot_pool SET slots = 0 WHERE pool = 'lineage';",
        "UPDATE slot_pool SET slots = 1 WHERE pool = 'lineage';",
        "Airflow's pool lineage has no slots",
    ),
    # Living processes write their row each few seconds.
    "airflow_heartbeats": (
        "UPDATE job SET latest_heartbeat = now() - interval '1 day';"
        "CREATE FUNCTION deafen() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " NEW.latest_heartbeat := OLD.latest_heartbeat; RETURN NEW; END $$;"
        "CREATE TRIGGER deafen BEFORE UPDATE ON job FOR EACH ROW EXECUTE FUNCTION deafen();",
        "DROP FUNCTION deafen() CASCADE;",
        "Airflow's scheduler has no heartbeat since ",
    ),
    "airflow_connection": (
        "UPDATE connection SET conn_id = 'renamed' WHERE conn_id = 'spark_default';",
        "UPDATE connection SET conn_id = 'spark_default' WHERE conn_id = 'renamed';",
        "Airflow has no connection spark_default",
    ),
    "airflow_import_errors": (
        "INSERT INTO import_error (filename, stacktrace) VALUES ('ours.py', E'Traceback\\nNameError: no x\\n');",
        "DELETE FROM import_error WHERE filename = 'ours.py';",
        "Airflow cannot read the DAG file ours.py: NameError: no x",
    ),
    "airflow_unreported_tasks": (
        "UPDATE task_instance SET try_number = try_number + 7 WHERE task_id = 'plan';",
        "UPDATE task_instance SET try_number = try_number - 7 WHERE task_id = 'plan';",
        "have no event of their end, such as one of apply_retention.plan",
    ),
}
"""By its check: how it is made, how it is undone, and what is stated of it."""


@pytest.fixture(autouse=True)
def _ended_an_hour_ago(platform: Platform) -> None:
    """What has ended just now may be on its way."""
    platform.query_airflow("UPDATE task_instance SET end_date = now() - interval '1 hour' WHERE state = 'success';")
    assert platform.query_airflow("SELECT count(*) > 0 FROM task_instance WHERE state = 'success';") == "t"


def test_a_platform_that_works_has_no_fault_but_a_paused_dag(platform: Platform) -> None:
    assert _found(platform) == {"airflow_paused_dags": PAUSED}


def test_each_fault_of_airflow_is_found_and_named(platform: Platform) -> None:
    with ExitStack() as faults:
        start(Store(platform.logins.owner), "runs")
        faults.callback(stop, Store(platform.logins.owner), "runs")
        for make, undo, _ in FAULTS.values():
            faults.enter_context(_fault(platform, make, undo))
        found = _found(platform)
    for check, (_, _, sentence) in FAULTS.items():
        assert sentence in found[check]
    assert found["airflow_paused_dags"].splitlines()[0] == PAUSED
    assert "publish_streams" in found["airflow_paused_dags"]
    assert found.keys() == {check.name for check in values_in(checks, HealthCheck)}


def test_a_pool_that_is_not_there_is_found(platform: Platform) -> None:
    rename = "UPDATE slot_pool SET pool = '{}' WHERE pool = '{}';"
    with _fault(platform, rename.format("renamed", "lineage"), rename.format("lineage", "renamed")):
        found = _found(platform)
    assert "Airflow has no pool lineage" in found["airflow_pool"]


def test_a_metadata_database_that_cannot_be_read_is_one_fault(platform: Platform) -> None:
    nowhere = "postgresql+psycopg://nobody@127.0.0.1:1/nowhere"
    found = _found(platform, AIRFLOW__DATABASE__SQL_ALCHEMY_CONN=nowhere)
    assert found.keys() == {"airflow_metadata"}
    assert found["airflow_metadata"].startswith("Airflow's metadata database cannot be read: ")


@contextmanager
def _fault(platform: Platform, make: str, undo: str) -> Iterator[None]:
    platform.query_airflow(make)
    try:
        yield
    finally:
        platform.query_airflow(undo)


def _found(platform: Platform, **settings: str) -> dict[str, str]:
    """What the command says of Airflow, by check."""
    surroundings = _inherited() | platform.airflow.environment() | {"LINEAGE_DSN": platform.logins.owner}
    surroundings |= settings
    command = subprocess.run([LINEAGE, "doctor", "--json"], env=surroundings, capture_output=True, check=False)
    assert command.stdout, command.stderr
    findings: list[dict[str, Any]] = json.loads(command.stdout)
    assert command.returncode == any(finding["needs_person"] for finding in findings), command.stderr
    of_check = dict[str, str]()
    for finding in findings:
        if finding["check"].startswith("airflow_"):
            of_check[finding["check"]] = "\n".join(filter(None, (of_check.get(finding["check"]), finding["what"])))
    return of_check
