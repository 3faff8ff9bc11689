"""DAGs with a deadline, and from when it counts, which `plugins/lineage_dags.py` makes known to Airflow."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.sdk import DAG
from airflow.sdk.definitions.deadline import BaseDeadlineReference

if TYPE_CHECKING:
    from airflow.models.dagrun import DagRun
    from sqlalchemy.orm import Session


class DagWithDeadline(DAG):
    """A DAG that `airflow dags test` can run: Airflow 3.3.2 ends a successful one by an error if it has a deadline
    (apache/airflow#73428). No one waits for the deadline of such a run.
    """

    def test(self, *arguments: Any, **options: Any) -> DagRun:
        self.deadline = []
        run: DagRun = super().test(*arguments, **options)
        return run


class RunQueued(BaseDeadlineReference):
    """The moment that a run was queued. Runs of a backfill have no deadline: they are queued all at once, and wait for
    each other.

    Of Airflow 3.3.2's own DAGRUN_QUEUED_AT a run cannot be cleared before its deadline (apache/airflow#70368).
    """

    required_kwargs: ClassVar = {"dag_id", "run_id"}

    def _evaluate_with(self, *, session: Session, dag_id: str, run_id: str) -> datetime | None:
        from airflow.models.dagrun import DagRun
        from airflow.utils.types import DagRunType

        run = session.query(DagRun).filter(DagRun.dag_id == dag_id, DagRun.run_id == run_id).one()
        if run.run_type == DagRunType.BACKFILL_JOB:
            return None
        queued: datetime | None = run.queued_at
        return queued
