"""A DAG of Airflow, or one of its runs, as the store knows it: what Airflow's own pages show as a tab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import Query

from lineage_core.answers.explain.explained_run import explain_in
from lineage_core.pages.names import evidence_of
from lineage_core.pages.page import LineagePage, Reader
from lineage_core.pages.rows import listed
from lineage_core.postgres.connection import Connection
from lineage_core.reading.store import snapshot

LAST_RUNS = 1_000
"""Of a DAG, among which a run is looked for by Airflow's name of it."""


def dags(
    store: Reader,
    dag: Annotated[str, Query(description="The `dag_id`.")],
    run: Annotated[str | None, Query(description="The `run_id` that Airflow gave the DAG run.")] = None,
) -> dict[str, Any]:
    """The jobs of a DAG and its tasks; with a run, what became of it and of its tasks, and why the first failed."""
    with snapshot(store) as connection:
        jobs = listed(connection, "jobs_of_dag", dag=dag)
        runs = listed(connection, "runs_of_dag_run", dag=dag, run=run, last=LAST_RUNS).rows if run else []
        tasks = {str(one["run"]): listed(connection, "children_of_run", run=one["run"]) for one in runs}
        explained = _explained(connection, [*(task for each in tasks.values() for task in each.rows), *runs])
    return {"dag": dag, "run": run, "jobs": jobs, "runs": runs, "tasks": tasks, "explained": explained}


def _explained(connection: Connection, runs: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Why the first of some runs failed that did; None where none did."""
    failed = next((one["run"] for one in runs if one["state"] == "FAILED"), None)
    if failed is None:
        return None
    answer = explain_in(connection, failed)
    return asdict(answer) | {"evidence": evidence_of(connection, answer)}


PAGE = LineagePage("dags", None, 11, dags)
