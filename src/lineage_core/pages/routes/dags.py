"""A DAG of Airflow, or one of its runs, as the store knows it: what Airflow's own pages show as a tab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core.answers.explain.explained_run import explain_in
from lineage_core.pages.names import ExplainedRun, with_evidence
from lineage_core.pages.page import LineagePage, Reader
from lineage_core.pages.rows import RowList, listed
from lineage_core.pages.run_rows import ListedJob, ListedRun
from lineage_core.postgres.connection import Connection
from lineage_core.reading.store import snapshot

LAST_RUNS = 1_000
"""Of a DAG, among which a run is looked for by Airflow's name of it."""


class DagsPage(TypedDict):
    """runs: of the jobs of the DAG, those with the `run_id`. tasks: the runs that each started, by its `uuid`.
    explained: why the first of all these failed that did."""

    dag: str
    run: str | None
    jobs: RowList[ListedJob]
    runs: Sequence[ListedRun]
    tasks: dict[str, RowList[ListedRun]]
    explained: ExplainedRun | None


def dags(
    store: Reader,
    dag: Annotated[str, Query(description="The `dag_id`.")],
    run: Annotated[str | None, Query(description="The `run_id` that Airflow gave the DAG run.")] = None,
) -> DagsPage:
    """The jobs of a DAG and its tasks; with a run, what became of it and of its tasks, and why the first failed."""
    with snapshot(store) as connection:
        jobs = listed(connection, ListedJob, "jobs_of_dag", dag=dag)
        runs = _runs(connection, dag, run) if run else []
        tasks = {str(one["run"]): listed(connection, ListedRun, "children_of_run", run=one["run"]) for one in runs}
        explained = _explained(connection, [*(task for each in tasks.values() for task in each.rows), *runs])
    return {"dag": dag, "run": run, "jobs": jobs, "runs": runs, "tasks": tasks, "explained": explained}


def _runs(connection: Connection, dag: str, run: str) -> Sequence[ListedRun]:
    return listed(connection, ListedRun, "runs_of_dag_run", dag=dag, run=run, last=LAST_RUNS).rows


def _explained(connection: Connection, runs: Sequence[ListedRun]) -> ExplainedRun | None:
    """Why the first of some runs failed that did; None where none did."""
    failed = next((one["run"] for one in runs if one["state"] == "FAILED"), None)
    return None if failed is None else with_evidence(connection, explain_in(connection, failed))


PAGE = LineagePage("dags", None, 11, dags)
