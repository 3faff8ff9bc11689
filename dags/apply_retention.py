"""# Apply retention

Deletes what the policies of `lineage retention policy` let go: old runs, versions and documents of the quarantine, and
raw events, if the form says where they are archived before. What is current, what is needed, and what is under a legal
hold stays.

| task | does |
|---|---|
| plan | decides what goes, and why the rest stays; its log has the plan |
| choose | asks a person, if the form says so |
| approve | waits for the answer, under *Required actions* |
| apply | carries out that plan, on Spark: nothing else goes, and less if something must stay by then |
| report | writes to the log what has gone |

Where `LINEAGE_STORES` lists several stores, each has a DAG: `apply_retention` is that of the default store, and
`apply_retention_NAME` that of another.

Normalization goes on beside it: it waits for half a minute at a time at most. So `apply` is not in its pool.

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *A worker failed*, *the database cannot be reached*, *the lease is taken*: clear `apply`. It goes on where it ended.
3. *The plan is not the one that is given*, *is more than 31 days old*: clear `plan`, and all that follows it.
4. *An archive is damaged*: nothing that it has was deleted. Look at the files that the error names.
5. Something is gone that is needed: `lineage retention restore` brings archived raw events back, then normalize.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from airflow.providers.standard.operators.hitl import ApprovalOperator
from airflow.sdk import DAG, Param, task

from lineage_core.airflow.operators import ApplyRetentionOperator, log_report, planned_text
from lineage_core.settings import store_list_from_environment
from lineage_core.store_list import dag_of_each_store

PARAMS = {
    "archive": Param(
        None,
        type=["null", "string"],
        title="Archive",
        description="URL below which raw events are archived before they are deleted; empty keeps them.",
    ),
    "ask": Param(
        False,
        type=["null", "boolean"],
        title="Ask a person",
        description="Delete only after somebody has approved the plan.",
    ),
}


def of_store(dag_id: str, store: str | None) -> DAG:
    with DAG(
        dag_id=dag_id,
        description="Deletes what retention policies let go, once a day, but for what is current, needed or held.",
        schedule="@daily",
        start_date=datetime(2026, 1, 1, tzinfo=UTC),
        catchup=False,
        max_active_runs=1,
        default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
        params=PARAMS,
        tags=["lineage"],
        doc_md=__doc__,
    ) as dag:

        @task
        def plan() -> str:
            return planned_text(store)

        @task.branch
        def choose(params: Mapping[str, object] | None = None) -> str:
            return "approve" if params and params["ask"] else "apply"

        @task
        def report() -> None:
            log_report(store)

        approve = ApprovalOperator(
            task_id="approve",
            subject="May retention delete this?",
            body="{{ ti.xcom_pull(task_ids='plan') }}",
            defaults="Reject",
            response_timeout=timedelta(days=1),
        )
        apply = ApplyRetentionOperator(
            task_id="apply",
            planned_by="plan",
            store=store,
            trigger_rule="none_failed_min_one_success",
            execution_timeout=timedelta(hours=12),
        )
        chosen = choose()
        plan() >> chosen
        chosen >> [approve, apply]
        approve >> apply >> report()
    return dag


for each, name in dag_of_each_store("apply_retention", store_list_from_environment()).items():
    of_store(each, name)
