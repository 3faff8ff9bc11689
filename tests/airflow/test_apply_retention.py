"""The DAG of retention on a real Airflow: it plans, asks a person if it is asked to, archives on Spark, and deletes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import Table
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, named_job, run_event
from tests.airflow.conftest import Platform
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.airflow

DAG = "apply_retention"
JOB = "retired"
LEFT = f"SELECT count(*) FROM runs WHERE job_name = '{JOB}'"


def old_runs() -> list[Document]:
    return [
        run_event(
            kind,
            run_id=f"0190a0a0-9999-7000-8000-{day:012}",
            job=named_job(JOB, "retired"),
            time=TIME + timedelta(days=day - 300),
        )
        for day in range(5)
        for kind in ("START", "COMPLETE")
    ]


@pytest.fixture(scope="module", autouse=True)
def _parsed(platform: Platform) -> None:
    platform.wait(lambda: platform.api.knows_dag(DAG), f"the DAG {DAG}")
    platform.api.unpause(DAG)
    platform.wait(lambda: _scheduled_run_has_ended(platform), "the scheduled run to end")


def _scheduled_run_has_ended(platform: Platform) -> bool:
    """It comes as soon as the DAG is not paused any more, and asks no one."""
    states = {run["state"] for run in platform.api.runs(DAG)}
    return states == {"success"}


def _scheduler_knows_that_it_waits(platform: Platform, run: str) -> bool:
    """Whether the scheduler has handled the end of the process that asked.

    An answer before that, which only a program is fast enough to give, looks to Airflow 3.3.2 as if the task had been
    killed: it is tried again, and asks again.
    """
    log = (platform.airflow.home.logs / "scheduler.log").read_text()
    return any(
        "TaskInstance Finished" in line and f"task_id=approve, run_id={run}," in line for line in log.splitlines()
    )


def test_a_run_waits_for_an_answer_and_then_deletes_what_was_planned(platform: Platform, tmp_path: Path) -> None:
    owner = platform.logins.owner
    take_in(Store(owner), old_runs())
    tmp_path.chmod(0o777)
    run = platform.api.trigger(DAG, {"ask": True, "archive": str(tmp_path)})
    platform.wait(
        lambda: platform.api.task_states(DAG, run).get("approve") in ("deferred", "awaiting_input"), "approve"
    )
    platform.wait(lambda: _scheduler_knows_that_it_waits(platform, run), "the scheduler to see the task parked")
    assert rows(Store(owner), LEFT) == [(5,)]
    answer = f"/api/v2/dags/{DAG}/dagRuns/{run}/taskInstances/approve/-1/hitlDetails"
    platform.api._call("PATCH", answer, {"chosen_options": ["Approve"]})
    assert platform.state_at_end(DAG, run) == "success", platform.log(DAG, run)
    assert rows(Store(owner), LEFT) == [(1,)]
    assert rows(Store(owner), "SELECT count(*) FROM lineage_events WHERE job_name = %s", [JOB]) == [(0,)]
    assert list(tmp_path.rglob("manifest.json"))
    ((deleted,),) = rows(
        Store(owner), "SELECT deleted FROM retention_reports WHERE finished_at IS NOT NULL AND deleted <> '{}'"
    )
    assert deleted["runs"] == 4
    assert _reported(Store(owner)) == {
        f"lineage.public.{table.name}": deleted[table.name] for table in _lost_rows(deleted)
    }


def _lost_rows(deleted: dict[str, int]) -> list[Table]:
    return [table for table in all_tables() if deleted.get(table.name)]


def _reported(owner: Store) -> dict[str, int]:
    """Tables that the Spark application says it has deleted from, and how many rows."""
    ((outputs,),) = rows(
        owner,
        "SELECT event -> 'outputs' FROM lineage_events WHERE job_name = 'apply_retention.apply.apply_retention'"
        " AND event ->> 'eventType' = 'COMPLETE' AND event -> 'outputs' <> '[]'",
    )
    return {dataset["name"]: dataset["outputFacets"]["outputStatistics"]["rowCount"] for dataset in outputs}
