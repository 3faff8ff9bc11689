"""The operator that runs the normalization on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow.providers.openlineage import conf

from lineage_core.airflow import metrics
from lineage_core.airflow.assets import NORMALIZATION, announce_tables
from lineage_core.airflow.job_arguments import Interval, job_arguments
from lineage_core.airflow.submit_operator import ReportedJobOperator

if TYPE_CHECKING:
    from airflow.sdk import Context


class NormalizeLineageOperator(ReportedJobOperator):
    """Submits `spark_jobs/normalize_lineage.py`.

    is_replay: whether each run takes a span of event time, and none what has arrived.
    """

    def __init__(self, *, is_replay: bool = False, **kwargs: Any) -> None:
        super().__init__(job="normalize_lineage", outlets=[NORMALIZATION], **kwargs)
        self._is_replay = is_replay

    def report(self, context: Context, outcome: dict[str, Any] | None) -> None:
        """Lets other DAGs know if the job has changed tables."""
        announce_tables(context, outcome)
        metrics.report_store()
        if outcome:
            metrics.report_run(outcome)

    def job_arguments(self, context: Context) -> list[str]:
        """What `lineage_core.airflow.job_arguments` makes of the run."""
        start, end = context.get("data_interval_start"), context.get("data_interval_end")
        # A manual run may have no interval, or one of no length.
        interval = Interval(start, end) if start and end and start < end else None
        run_type = context["dag_run"].run_type.value
        asked = job_arguments(run_type, interval, context["params"], is_replay=self._is_replay)
        return [*asked, "--own-namespace", conf.namespace(), *self.outcome_arguments()]
