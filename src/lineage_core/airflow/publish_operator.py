"""The operator that publishes changelog streams on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_core.airflow import metrics
from lineage_core.airflow.assets import PUBLICATION, announce_streams
from lineage_core.airflow.submit_operator import ReportedJobOperator

if TYPE_CHECKING:
    from airflow.sdk import Context


class PublishStreamsOperator(ReportedJobOperator):
    """Submits `spark_jobs/publish_streams.py`. Its driver starts no session if there is nothing to publish."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(job="publish_streams", outlets=[PUBLICATION], **kwargs)

    def report(self, context: Context, outcome: dict[str, Any] | None) -> None:
        """Lets other DAGs know how far the streams go."""
        announce_streams(context, outcome)
        metrics.report_store()
        if outcome:
            metrics.report_publication(outcome)

    def job_arguments(self, context: Context) -> list[str]:
        return self.outcome_arguments()
