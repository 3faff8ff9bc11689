"""# Normalize lineage

Turns the raw OpenLineage events in `lineage_events` into the lineage tables, on Spark.

| run | takes |
|---|---|
| scheduled, every ten minutes | every event that has arrived and is not yet normalized |
| backfill | the events whose *event time* lies in the run's data interval, also those already normalized |
| manual | what its form says |

A repeated or overlapping run is harmless: the tables are a function of the set of events, and a lease in the database
lets one run merge at a time. The pool and `max_active_runs` only save the work of a run that would have to wait.

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *The lease is taken*: another run works. The retry gets it. A run that was killed gives it up at once.
3. *The database cannot be reached*: nothing was changed. Repair the database, then clear the task.
4. *Something does not exist; run `lineage db upgrade` first*: do so, and clear the task. `lineage db check` says what
   differs from the declarations.
5. *Made in another cluster*: the database was restored elsewhere. `lineage db rebase`, then clear the task.
6. A bad event never fails the run. `lineage quarantine list` shows those that were set aside; after a fix,
   `lineage quarantine retry` takes them in again.

Nothing that arrived meanwhile is lost: the next run begins at the watermark of the last one that succeeded.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG, CronDataIntervalTimetable, Param

from lineage_core.airflow.job_arguments import BY_ARRIVAL, MODES
from lineage_core.airflow.lineage_operator import NormalizeLineageOperator

MEBIBYTE = 1024 * 1024

PARAMS = {
    "mode": Param(
        BY_ARRIVAL,
        enum=list(MODES),
        title="Mode",
        description="What has arrived since the last run, or the events of a span of event time.",
    ),
    "from": Param(
        None,
        type=["null", "string"],
        format="date-time",
        title="From",
        description="By event time: first instant; empty for all before `to`.",
    ),
    "to": Param(
        None,
        type=["null", "string"],
        format="date-time",
        title="To",
        description="By event time: first instant after; empty for all since `from`.",
    ),
    "namespaces": Param(
        [],
        type="array",
        items={"type": "string"},
        title="Namespaces",
        description="Of jobs, in a run by event time; none means all.",
    ),
    "slice_bytes": Param(
        None,
        type=["null", "integer"],
        minimum=MEBIBYTE,
        maximum=1024 * MEBIBYTE,
        title="Bytes in a slice",
        description="How much is normalized between two commits; the job's own measure if empty.",
    ),
}

with DAG(
    dag_id="normalize_lineage",
    schedule=CronDataIntervalTimetable("*/10 * * * *", timezone="UTC"),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
    params=PARAMS,
    tags=["lineage"],
    doc_md=__doc__,
):
    NormalizeLineageOperator(task_id="normalize", pool="lineage", execution_timeout=timedelta(hours=6))
