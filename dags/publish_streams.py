"""# Publish streams

Publishes what has changed of every changelog stream that `lineage stream start` has turned on. Parts go below
`LINEAGE_STREAMS_URL`, which Airflow's workers and Spark's must name alike.

It runs after each run of `normalize_lineage` or `replay_lineage` that has changed tables, and each hour for what others
have changed: retention, migrations, `lineage normalize`, people.
A run that has published something makes an event of the asset `lineage_published`.

A repeated run is harmless: it publishes what has changed since the last one, and nothing else. Normalization, retention
and migrations go on beside it, and wait for nothing that it does.

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *The lease is taken*: another publisher works. The retry gets it.
3. *The database cannot be reached*, *the stream cannot be used now*: repair the database or the files, then clear the
   task. What was published stays published.
4. *The database holds no lineage store, or one of another release*: run `lineage db upgrade`, and clear the task.
5. *A file is damaged*: a stream that begins again reads its parts. Bring the file back, then clear the task. All other
   streams were published.
6. *Has no publisher.json*, *is another root*: `LINEAGE_STREAMS_URL` of the worker is not where the streams are.

Changes wait in the database until they are published, so none is lost. `lineage stream verify NAME` says whether a
stream is whole, and which files an interrupted run has left.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG, AssetOrTimeSchedule, CronTriggerTimetable

from lineage_core.airflow.assets import NORMALIZED
from lineage_core.airflow.operators import PublishStreamsOperator
from lineage_core.airflow.submit_operator import for_each_store

with DAG(
    dag_id="publish_streams",
    description="Publishes what has changed in the tables as changelog streams.",
    schedule=AssetOrTimeSchedule(timetable=CronTriggerTimetable("35 * * * *", timezone="UTC"), assets=[NORMALIZED]),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
    tags=["lineage"],
    doc_md=__doc__,
):
    for_each_store(PublishStreamsOperator, task_id="publish", execution_timeout=timedelta(hours=6))
