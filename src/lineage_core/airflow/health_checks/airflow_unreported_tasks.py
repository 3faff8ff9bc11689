"""Tasks that have ended, and of whose end the store has no event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from airflow.models.dagrun import DagRun
from airflow.models.taskinstance import TaskInstance
from airflow.providers.openlineage import conf
from airflow.providers.openlineage.plugins.adapter import OpenLineageAdapter
from airflow.utils.state import TaskInstanceState

from lineage_core.airflow.metadata import metadata
from lineage_core.health_check import HealthCheck, Looked
from lineage_core.openlineage.events import ENDINGS
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_value

MOST_TASKS = 1_000
"""The latest, by their end."""

AGE = timedelta(days=1)
PATIENCE = timedelta(minutes=10)
"""An event comes a moment after the task has ended, if it does not go by the spool."""

_ENDED = (TaskInstanceState.SUCCESS.value, TaskInstanceState.FAILED.value)


def _unreported(looked: Looked) -> Iterator[str]:
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


HEALTH_CHECK = HealthCheck(
    "airflow_unreported_tasks",
    _unreported,
    "Look in the log of such a task for warnings of OpenLineage, and in the spool of its worker."
    " A task that somebody has marked failed or succeeded reports nothing.",
    needs_person=False,
)
