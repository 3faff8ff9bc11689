"""# Compact streams

Merges the small parts of changelog streams into large ones, makes checkpoints, and deletes files that no stream has had
for a day. It works below `LINEAGE_STREAMS_URL`, which Airflow's workers and Spark's must name alike.

No reader sees a difference: records stay as they are, at their offsets. A repeated run is harmless. Publications and
readers go on beside it, and wait for nothing that it does.

Each hour it merges what the publications of that hour have left. Parts of about one size are merged when eight of them
lie side by side, so that no record is written anew each hour.

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *The lease is taken*: another compaction works. The retry gets it.
3. *The database cannot be reached*, *the stream cannot be used now*: repair the database or the files, then clear the
   task. What was compacted stays compacted.
4. *The database holds no lineage store, or one of another release*: run `lineage db upgrade`, and clear the task.
5. *A file is damaged*: bring the file back, then clear the task. All other streams were compacted.
6. *A record breaks a rule*: `lineage stream verify NAME` says which one. All other streams were compacted.
7. *Has no publisher.json*, *is another root*: `LINEAGE_STREAMS_URL` of the worker is not where the streams are.

Nothing depends on a run: streams that are not compacted are read more slowly, and that is all.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG, CronDataIntervalTimetable

from lineage_core.airflow.operators import CompactStreamsOperator
from lineage_core.airflow.submit_operator import for_each_store

with DAG(
    dag_id="compact_streams",
    description="Merges small parts of changelog streams, each hour; readers see no difference.",
    schedule=CronDataIntervalTimetable("8 * * * *", timezone="UTC"),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
    tags=["lineage"],
    doc_md=__doc__,
):
    for_each_store(CompactStreamsOperator, task_id="compact", least_parts=8, execution_timeout=timedelta(hours=6))
