"""The operator that compacts changelog streams on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lineage_core.airflow.submit_operator import SubmitJobOperator

if TYPE_CHECKING:
    from airflow.sdk import Context


class CompactStreamsOperator(SubmitJobOperator):
    """Submits `spark_jobs/compact_streams.py`. Its driver starts no session if there is little to write.

    least_parts: how many parts of one size have to lie side by side, to be merged.
    """

    def __init__(self, *, least_parts: int, **kwargs: Any) -> None:
        super().__init__(job="compact_streams", **kwargs)
        self._least_parts = least_parts

    def job_arguments(self, context: Context) -> list[str]:
        return ["--least-parts", str(self._least_parts)]
