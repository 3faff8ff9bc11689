"""# Normalize lineage

Turns the raw OpenLineage events in `lineage_events` into the lineage tables, on Spark.

| run | takes |
|---|---|
| scheduled, every ten minutes | every event that has arrived and is not yet normalized |
| backfill | the events whose *event time* lies in the run's data interval, also those already normalized |
| manual | the same as scheduled; with *From* or *To*, the events of that span of event time |

To replay days or months, backfill the DAG `replay_lineage`: it has a run a day, where this one has 144. Events that
arrive meanwhile do not wait for it.

A run that has not ended half an hour after it was queued is *late*: the triggerer logs an error, and Airflow counts a
missed deadline. A run that has changed tables makes an event of the asset `lineage_normalized`, on which other DAGs can
be scheduled.

Where `LINEAGE_STORES` lists several stores, there is a task for each: one that fails stops no other.

A repeated or overlapping run is harmless: the tables are a function of the set of events, and a lease in the database
lets one run merge at a time. The pool and `max_active_runs` only save the work of a run that would have to wait.

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *The lease is taken*: another run works. The retry gets it. A run that was killed gives it up at once.
3. *The database cannot be reached*: nothing was changed. Repair the database, then clear the task.
4. *The database holds no lineage store, or one of another release*: run `lineage db upgrade` of this release, and clear
   the task. `lineage db check` says what differs from the declarations.
5. *Made in another cluster*: the database was restored elsewhere. `lineage db rebase`, then clear the task.
6. *Late*: the triggerer's log says what waits, and who is at work. `lineage doctor` looks for the cause.
7. A bad event never fails the run. `lineage quarantine list` shows those that were set aside; after a fix,
   `lineage quarantine retry` takes them in again.

Nothing that arrived meanwhile is lost: the next run begins at the watermark of the last one that succeeded.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import CronDataIntervalTimetable
from airflow.sdk.definitions.callback import AsyncCallback
from airflow.sdk.definitions.deadline import DeadlineAlert

from lineage_core.airflow import late_normalization
from lineage_core.airflow.deadlines import DagWithDeadline, RunQueued
from lineage_core.airflow.normalization_params import common_params, span_params
from lineage_core.airflow.operators import NormalizeLineageOperator
from lineage_core.airflow.submit_operator import for_each_store

with DagWithDeadline(
    dag_id="normalize_lineage",
    description="Makes tables of the OpenLineage events that have arrived, every ten minutes.",
    schedule=CronDataIntervalTimetable("*/10 * * * *", timezone="UTC"),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    deadline=DeadlineAlert(
        name="late normalization",
        reference=RunQueued(),
        interval=late_normalization.LATE_AFTER,
        callback=AsyncCallback(late_normalization.report),
    ),
    default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
    params=span_params("new arrivals") | common_params(),
    tags=["lineage"],
    doc_md=__doc__,
):
    # The pool has one slot: what arrives goes before the next day of a replay.
    for_each_store(
        NormalizeLineageOperator,
        task_id="normalize",
        pool="lineage",
        priority_weight=10,
        weight_rule="absolute",
        execution_timeout=timedelta(hours=6),
    )
