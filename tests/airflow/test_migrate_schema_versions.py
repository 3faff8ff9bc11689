"""The DAG of a long migration on a real Airflow: run and steered by its form, by a login that owns nothing."""

from __future__ import annotations

import json

import pytest

from lineage_core.long_migrations.decisions.settings import DEFAULTS
from lineage_core.long_migrations.declared.schema_versions import MIGRATION
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.store.health import Health
from lineage_core.postgres.connection import connect
from lineage_core.postgres.store import Store
from tests.airflow.conftest import Platform
from tests.support.old_mappings import put_dataset, put_versions

pytestmark = pytest.mark.airflow

DAG = "migrate_schema_versions"
NAME = MIGRATION.name
VERSIONS = 500


@pytest.fixture(scope="module", autouse=True)
def _parsed(platform: Platform) -> None:
    with connect(platform.logins.owner) as connection:
        put_versions(connection, "old", put_dataset(connection, "old", [("id", "INTEGER")]), VERSIONS)
    platform.wait(lambda: platform.api.knows_dag(DAG), f"the DAG {DAG}")
    platform.api.unpause(DAG)


def test_a_triggered_run_migrates_to_the_end(platform: Platform) -> None:
    run = platform.api.trigger(DAG, {"command": "run"})
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
    status = records.status(Store(platform.logins.owner), NAME)
    assert (status.state, status.done, status.changed) == ("finished", VERSIONS, VERSIONS)
    assert _reported(platform)["lineage.public.dataset_versions"] == VERSIONS


def _reported(platform: Platform) -> dict[str, int | None]:
    """Tables that the Spark application says it has written, with how many rows where they were counted."""
    query = (
        "SELECT event FROM lineage_events"
        f" WHERE job_name LIKE '{DAG}.%.migrate' AND event ->> 'eventType' = 'COMPLETE';"
    )
    (line,) = platform.server.run_sql(query, "lineage", "lineage").splitlines()
    return {
        dataset["name"]: dataset.get("outputFacets", {}).get("outputStatistics", {}).get("rowCount")
        for dataset in json.loads(line)["outputs"]
    }


def test_a_job_that_needs_a_person_fails_at_once(platform: Platform) -> None:
    run = platform.api.trigger(DAG, {"command": "resume"})
    assert platform.state_at_end(DAG, run) == "failed"
    (attempt,) = (platform.airflow.home.logs / f"dag_id={DAG}" / f"run_id={run}").rglob("*.log")
    assert f"lineage: The migration '{NAME}' is " in attempt.read_text()


def test_who_migrates_sees_the_health_of_the_server(platform: Platform) -> None:
    with (
        connect(platform.logins.owner) as idle,
        connect(platform.logins.jobs, autocommit=True) as connection,
    ):
        idle.execute("SELECT FROM runs")
        age = Health(Store(platform.logins.jobs), connection, MIGRATION).signals(DEFAULTS).transaction_seconds
    assert age is not None
    assert age > 0


def test_a_form_that_makes_no_sense_fails_at_once_and_says_why(platform: Platform) -> None:
    run = platform.api.trigger(DAG, {"command": "set"})
    assert platform.state_at_end(DAG, run) == "failed"
    (attempt,) = (platform.airflow.home.logs / f"dag_id={DAG}" / f"run_id={run}").rglob("*.log")
    assert "it needs both" in attempt.read_text()
