"""The health checks of Airflow, which `lineage doctor` makes beside those of the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from airflow.api.common.airflow_health import HEALTHY, get_airflow_health
from airflow.configuration import ensure_secrets_loaded
from airflow.models.dag import DagModel
from airflow.models.dagrun import DagRun
from airflow.models.errors import ParseImportError
from airflow.models.pool import Pool
from airflow.models.taskinstance import TaskInstance
from airflow.providers.apache.spark.hooks.spark_submit import SparkSubmitHook
from airflow.providers.openlineage import conf
from airflow.providers.openlineage.plugins.adapter import OpenLineageAdapter
from airflow.utils.state import TaskInstanceState

from lineage_core.airflow.metadata import metadata
from lineage_core.capability import CheckedPlaces, HealthCheck
from lineage_core.local.airflow_environment import POOL
from lineage_core.openlineage.events import ENDINGS
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_value
from lineage_core.streams.store.switches import started_streams

_CONNECTION = SparkSubmitHook.default_conn_name


def _missing_connection(_: CheckedPlaces) -> Iterator[str]:
    with metadata():
        known = any(backend.get_connection(conn_id=_CONNECTION) for backend in ensure_secrets_loaded())
    if not known:
        yield f"Airflow has no connection {_CONNECTION}, so it submits jobs to YARN"


AIRFLOW_CONNECTION = HealthCheck(
    "airflow_connection",
    _missing_connection,
    f"`airflow connections add {_CONNECTION} --conn-type spark --conn-host …`: `local[*]`, or the address of a master.",
)
"""The connection that says where Spark is."""

_WORK_OF_PROCESSES = {
    "scheduler": "no DAG run begins or ends",
    "dag_processor": "no changed DAG file is read",
    "triggerer": "no late normalization is reported",
}
"""What is not done without each."""


def _silent_processes(_: CheckedPlaces) -> Iterator[str]:
    with metadata():
        health = get_airflow_health()
    for process, missing in _WORK_OF_PROCESSES.items():
        if health[process]["status"] != HEALTHY:
            last = health[process][f"latest_{process}_heartbeat"]
            since = f"since {last}" if last else "and never had one"
            yield f"Airflow's {process.replace('_', ' ')} has no heartbeat {since}, so {missing}"


AIRFLOW_HEARTBEATS = HealthCheck(
    "airflow_heartbeats",
    _silent_processes,
    "Start that process again, and see the end of its log for why it ended.",
)
"""Processes of Airflow that show no sign of life."""


def _broken_files(_: CheckedPlaces) -> Iterator[str]:
    with metadata() as session:
        errors = session.query(ParseImportError.filename, ParseImportError.stacktrace).order_by("filename").all()
    for file, trace in errors:
        last_line = (trace or "").strip().rpartition("\n")[2]
        yield f"Airflow cannot read the DAG file {file}: {last_line}"


AIRFLOW_IMPORT_ERRORS = HealthCheck(
    "airflow_import_errors",
    _broken_files,
    "`airflow dags list-import-errors` shows all of it. The DAGs of the file do not run until it is mended.",
)
"""DAG files that Airflow cannot read."""


def _paused_dags(looked: CheckedPlaces) -> Iterator[str]:
    needed = {"normalize_lineage": "events are normalized"}
    if started_streams(looked.connection):
        needed |= {"publish_streams": "streams are published", "compact_streams": "streams are compacted"}
    with metadata() as session:
        known = dict(session.query(DagModel.dag_id, DagModel.is_paused).filter(DagModel.dag_id.in_(needed)).all())
    for dag, what in needed.items():
        if known.get(dag, True):
            yield f"The DAG {dag} is {'paused' if dag in known else 'not there'}, so no {what} by schedule"


AIRFLOW_PAUSED_DAGS = HealthCheck(
    "airflow_paused_dags",
    _paused_dags,
    "`airflow dags unpause DAG_ID`, unless something else does its work, as `lineage normalize --follow` does.",
    needs_person=False,
)
"""DAGs whose work waits, and that are paused."""


def _closed_pool(_: CheckedPlaces) -> Iterator[str]:
    with metadata() as session:
        slots = session.query(Pool.slots).filter(Pool.pool == POOL).scalar()
    if slots is None:
        yield f"Airflow has no pool {POOL}, so no task of normalize_lineage and replay_lineage begins"
    elif slots == 0:
        yield f"Airflow's pool {POOL} has no slots, so no task of normalize_lineage and replay_lineage begins"


AIRFLOW_POOL = HealthCheck("airflow_pool", _closed_pool, f"`airflow pools set {POOL} 1 'One normalization at a time'`.")
"""The pool in which normalizations take turns."""

MOST_TASKS = 1_000
"""The latest, by their end."""

AGE = timedelta(days=1)
PATIENCE = timedelta(minutes=10)
"""An event comes a moment after the task has ended, if it does not go by the spool."""

_ENDED = (TaskInstanceState.SUCCESS.value, TaskInstanceState.FAILED.value)


def _unreported_tasks(looked: CheckedPlaces) -> Iterator[str]:
    if conf.is_disabled() or conf.selective_enable():
        return
    tasks = _ended_tasks()
    silent = runs_without_end(looked.connection, list(tasks))
    if silent:
        example = min(tasks[run] for run in silent)
        yield (
            f"{len(silent)} of {len(tasks)} tasks that have ended in the last day have no event of their end, such as"
            f" one of {example}"
        )


def runs_without_end(connection: Connection, runs: Sequence[UUID]) -> list[UUID]:
    """Those of which the store has no event of their end."""
    parameters = {"runs": list(runs), "endings": list(ENDINGS)}
    return every_value(connection, UUID, "airflow/runs_without_end", parameters)


def _ended_tasks() -> dict[UUID, str]:
    """The run of OpenLineage and the name of each task that a worker has run, and whose operator reports."""
    now = datetime.now(UTC)
    with metadata() as session:
        rows = (
            session.query(
                TaskInstance.dag_id,
                TaskInstance.task_id,
                TaskInstance.try_number,
                TaskInstance.map_index,
                TaskInstance.operator,
                DagRun.logical_date,
                DagRun.run_after,
            )
            .join(DagRun, (DagRun.dag_id == TaskInstance.dag_id) & (DagRun.run_id == TaskInstance.run_id))
            .filter(TaskInstance.state.in_(_ENDED), TaskInstance.hostname != "")
            .filter(TaskInstance.end_date.between(now - AGE, now - PATIENCE))
            .order_by(TaskInstance.end_date.desc())
            .limit(MOST_TASKS)
            .all()
        )
    disabled = {path.rpartition(".")[2] for path in conf.disabled_operators()}
    return {
        UUID(
            OpenLineageAdapter.build_task_instance_run_id(
                dag_id=row.dag_id,
                task_id=row.task_id,
                try_number=row.try_number,
                # As the provider's listener does: a run that somebody triggers has no date of its own.
                logical_date=row.logical_date or row.run_after,
                map_index=row.map_index,
            )
        ): f"{row.dag_id}.{row.task_id}"
        for row in rows
        if row.operator not in disabled
    }


AIRFLOW_UNREPORTED_TASKS = HealthCheck(
    "airflow_unreported_tasks",
    _unreported_tasks,
    "Look in the log of such a task for warnings of OpenLineage, and in the spool of its worker."
    " A task that somebody has marked failed or succeeded reports nothing.",
    needs_person=False,
)
"""Tasks that have ended, and of whose end the store has no event."""
