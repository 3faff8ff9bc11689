"""The operator that publishes changelog streams on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_core.airflow.submit_operator import SubmitJobOperator

if TYPE_CHECKING:
    from airflow.sdk import Context


class PublishStreamsOperator(SubmitJobOperator):
    """Submits `spark_jobs/publish_streams.py`. Its driver starts no session if there is nothing to publish."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(job="publish_streams", **kwargs)

    def job_arguments(self, context: Context) -> list[str]:
        return []
