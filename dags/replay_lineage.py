"""# Replay lineage

Normalizes the events of past days again, by their *event time*, whether they are normalized or not. No schedule begins
a run. A backfill does, and so does *Trigger*:

```sh
airflow dags backfill --start-date 2026-10-01 --end-date 2026-10-31 replay_lineage
```

| run | takes |
|---|---|
| backfill | the events of its day |
| manual | those from *From* to *To*; if both are empty, of the last whole day before the run's logical date |

`airflow backfill create` and the card *Backfill* of the form start a backfill, too. A month is 31 submissions to Spark.

Days and spans may overlap with others, come in any order, and be repeated: the tables are a function of the set of
events. What arrives meanwhile is normalized between two runs.

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next. The errors are those
   of `normalize_lineage`, whose page lists them.
2. After the repair, backfill the same days with `--rerun-failed-tasks`; days that succeeded are left out.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG
from airflow.utils.types import DagRunType

from lineage_core.airflow.normalization_params import common_params, span_params
from lineage_core.airflow.operators import NormalizeLineageOperator
from lineage_core.airflow.submit_operator import for_each_store
from lineage_core.airflow.timetables import DailyByBackfill

with DAG(
    dag_id="replay_lineage",
    description="Normalizes past days again, a run for each day of a backfill.",
    schedule=DailyByBackfill(),
    start_date=datetime(1970, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=1,
    # Airflow wants `scheduled` beside any schedule. Its two types of the same values are not each other's to mypy.
    allowed_run_types=[DagRunType.SCHEDULED, DagRunType.BACKFILL_JOB, DagRunType.MANUAL],  # type: ignore[list-item]
    default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
    params=span_params("the last whole day before the logical date") | common_params(),
    tags=["lineage"],
    doc_md=__doc__,
):
    for_each_store(
        NormalizeLineageOperator,
        task_id="normalize",
        is_replay=True,
        pool="lineage",
        priority_weight=1,
        weight_rule="absolute",
        execution_timeout=timedelta(hours=6),
    )
