"""What the tasks of the DAG of retention do: plan, apply on Spark, report."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from lineage_core.airflow import metrics
from lineage_core.airflow.failures import without_retries_for_a_person
from lineage_core.airflow.submit_operator import SubmitJobOperator
from lineage_core.errors import NeedsOperator
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings

if TYPE_CHECKING:
    from airflow.sdk import Context

log = logging.getLogger(__name__)


class ApplyRetentionOperator(SubmitJobOperator):
    """Submits `spark_jobs/apply_retention.py` with the plan that another task of the run has made.

    planned_by: that task. A plan has numbers of rows, and no secret.
    """

    def __init__(self, *, planned_by: str, **kwargs: Any) -> None:
        super().__init__(job="apply_retention", **kwargs)
        self._planned_by = planned_by

    def job_arguments(self, context: Context) -> list[str]:
        planned = context["ti"].xcom_pull(task_ids=self._planned_by)
        return retention_arguments(planned, context["params"].get("archive"))


def retention_arguments(planned: str, archive: str | None) -> list[str]:
    """The arguments of the job. The address of an archive must hold no secret, as everybody sees arguments."""
    if archive and "@" in archive:
        raise NeedsOperator(
            "The address of the archive holds a user or a secret; give those by the worker's environment"
        )
    return ["--yes", "--plan", planned, *(["--archive", archive] if archive else [])]


def planned_text() -> str:
    """What would go now, as `lineage retention plan --json` writes it; the log has it line by line."""
    from lineage_core.retention.application import plan

    with without_retries_for_a_person():
        planned = plan(_store()).to_json()
    for table, rows in planned["tables"].items():
        log.info("%s: %s rows go", table, f"{rows:,}")
    for reason, rows in planned["protected"].items():
        log.info("%s rows stay: %s", f"{rows:,}", reason)
    raw = planned["raw_events"]
    log.info("%s raw events go where there is an archive", f"{raw['rows']:,}")
    for reason, rows in raw["protected"].items():
        log.info("%s raw events stay: %s", f"{rows:,}", reason)
    return json.dumps(planned)


def log_report() -> None:
    """Writes to the log, and reports as metrics, what the last application has deleted."""
    from lineage_core.retention.store.reports import reports

    with without_retries_for_a_person():
        last = reports(_store(), most=1)
    for report in last:
        log.info("Applied from %s to %s by %s", report.started_at, report.finished_at, report.applied_by)
        for table, rows in report.deleted.items():
            log.info("%s: %s rows", table, f"{rows:,}")
        for reason, rows in (report.stayed or {}).items():
            log.info("%s that were planned to go stay: %s", f"{rows:,}", reason)
        metrics.report_retention(report)
    metrics.report_store()


def _store() -> Store:
    dsn = ProjectSettings.from_environment().dsn
    if dsn is None:
        raise NeedsOperator("LINEAGE_DSN is not set where Airflow's tasks run")
    return Store(dsn)
