"""# Migrate facets

Takes in every raw event that never became rows, its facets among them, while the store is in use: those of an older
store, say, that were only kept. It runs only when it is triggered; its form says what to do, as `lineage migration`
does on the command line.

| command | does |
|---|---|
| run | runs the migration to its end, from wherever it stands |
| status | writes to the log how far it is, and what holds it |
| plan | divides the work into ranges, anew if it was done before |
| pause, resume, set, cancel, retry | steer it, also while another run of this DAG is at work |
| finalize | ends it (`docs/how-to/run-a-long-migration.md`); it replaces nothing, so there is no more to do |

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *A worker failed*, *the database cannot be reached*: clear the task. It goes on after the last transaction.
3. *Rows are in quarantine*: the table `migration_quarantine` says why. Mend them, run `retry`, then `run`.
4. *It is paused*: run `resume`. *It is held*: `status` says by what, and until when.
5. A bad event never fails the run. `lineage quarantine list` shows those that were set aside.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG

from lineage_core.airflow.migration_operator import PARAMS, MigrateOperator

with DAG(
    dag_id="migrate_facets",
    schedule=None,
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    # One run works while another steers it; two that work would share the ranges.
    max_active_runs=2,
    default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
    params=PARAMS,
    tags=["lineage"],
    doc_md=__doc__,
):
    MigrateOperator(task_id="migrate", job="migrate_facets", execution_timeout=timedelta(days=7))
