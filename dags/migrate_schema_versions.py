"""# Migrate schema versions

Gives every dataset version the schema version of its fields, in short transactions, while the store is in use. It runs
only when it is triggered; its form says what to do, as `lineage migration` does on the command line.

| command | does |
|---|---|
| run | runs the migration to its end, from wherever it stands |
| status | writes to the log how far it is, and what holds it |
| plan | divides the work into ranges, anew if it was done before |
| pause, resume, set, cancel, retry | steer it, also while another run of this DAG is at work |
| finalize, verify, cutover, rollback, drop | end it, in this order (`docs/how-to/run-a-long-migration.md`) |

## When it fails

1. Read the end of the task's log: the last error says what is wrong, where, and what to do next.
2. *A worker failed*, *the database cannot be reached*: clear the task. It goes on after the last transaction.
3. *Rows are in quarantine*: the table `migration_quarantine` says why. Mend them, run `retry`, then `run`.
4. *It is paused*: run `resume`. *It is held*: `status` says by what, and until when.
5. *Permission denied*, *only the owner can build it again*: `drop` takes the owner of the database, and so does the end
   of a migration that the owner has planned. Do it on the command line.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG

from lineage_core.airflow.migration_operator import PARAMS, MigrateOperator

with DAG(
    dag_id="migrate_schema_versions",
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
    MigrateOperator(task_id="migrate", job="migrate_schema_versions", execution_timeout=timedelta(days=7))
