"""The DAG of each long migration: `migrate_` and its name. They differ only in what the migration declares."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG

from lineage_core.airflow.operators import MigrateOperator, migration_params
from lineage_core.long_migrations.declared import LongMigration, all_migrations

PAGE = """# {title}

{doc} It runs only when it is triggered; its form says what to do, as `lineage migration` does on the command line.

| command | does |
|---|---|
| run | runs the migration to its end, from wherever it stands |
| status | writes to the log how far it is, and what holds it |
| plan | divides the work into ranges, anew if it was done before |
| pause, resume, set, cancel, retry | steer it, also while another run of this DAG is at work |
| {end} |

Where `LINEAGE_STORES` lists several stores, the form asks for the one to work on.

## When it fails

{remedies}
"""

END_OF_A_REPLACEMENT = (
    "finalize, verify, cutover, drop | end it, in this order; rollback reverts a cutover, and nothing reverts drop"
)
END = "finalize | ends it; it replaces nothing, so there is no more to do with it"


def remedies(migration: LongMigration) -> Iterator[str]:
    yield "Read the end of the task's log: the last error says what is wrong, where, and what to do next."
    yield (
        "*A worker failed*, *the database cannot be reached*: clear the task. It goes on after the last transaction."
    )
    yield ("*Rows are in quarantine*: the table `migration_quarantine` says why. Mend them, run `retry`, then `run`.")
    yield "*It is paused*: run `resume`. *It is held*: `status` says by what, and until when."
    if migration.normalizes:
        yield "A bad event never fails the run. `lineage quarantine list` shows those that were set aside."
    if migration.replaces:
        yield "*Permission denied*: `drop` takes the owner of the database. Do it on the command line."
    if migration.costly:
        yield (
            "*Only the owner can build it again*: the end of a migration that the owner has planned takes the owner."
            " Do it on the command line."
        )


def page(migration: LongMigration) -> str:
    return PAGE.format(
        title=f"Migrate {migration.name.replace('-', ' ')}",
        doc=migration.doc,
        end=END_OF_A_REPLACEMENT if migration.replaces else END,
        remedies="\n".join(f"{number}. {remedy}" for number, remedy in enumerate(remedies(migration), start=1)),
    )


for each in all_migrations().values():
    with DAG(
        dag_id=each.dag_id,
        description=each.doc,
        schedule=None,
        start_date=datetime(2026, 1, 1, tzinfo=UTC),
        catchup=False,
        # One run works while another steers it; two that work would share the ranges.
        max_active_runs=2,
        default_args={"owner": "lineage", "retries": 2, "retry_delay": timedelta(minutes=1)},
        params=migration_params(),
        tags=["lineage"],
        doc_md=page(each),
    ) as dag:
        MigrateOperator(task_id="migrate", migration=each.name, name=dag.dag_id, execution_timeout=timedelta(days=7))
