"""The operator that runs the normalization on Spark."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.providers.openlineage import conf

from lineage_core.airflow import metrics
from lineage_core.airflow.assets import NORMALIZATION, announce
from lineage_core.airflow.job_arguments import Interval, job_arguments
from lineage_core.airflow.submit_operator import SubmitJobOperator

if TYPE_CHECKING:
    from airflow.sdk import Context


class NormalizeLineageOperator(SubmitJobOperator):
    """Submits `spark_jobs/normalize_lineage.py`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(job="normalize_lineage", outlets=[NORMALIZATION], **kwargs)
        self._outcome_file = Path("outcome.json")

    def execute(self, context: Context) -> None:
        """Submits the job, reports what it says it did, and lets other DAGs know if it has changed tables."""
        with tempfile.TemporaryDirectory(prefix="lineage-") as folder:
            self._outcome_file = Path(folder) / "outcome.json"
            super().execute(context)
            outcome = self._outcome()
        announce(context, outcome)
        metrics.report_store()
        if outcome:
            metrics.report_run(outcome)

    def _outcome(self) -> dict[str, Any] | None:
        """What the job says it did; None if its driver, on another machine, has written that there."""
        return dict(json.loads(self._outcome_file.read_text())) if self._outcome_file.exists() else None

    def job_arguments(self, context: Context) -> list[str]:
        """A backfill takes its interval, a manual run what its form says, others what arrived."""
        start, end = context.get("data_interval_start"), context.get("data_interval_end")
        # A manual run may have no interval, or one of no length.
        interval = Interval(start, end) if start and end and start < end else None
        asked = job_arguments(context["dag_run"].run_type.value, interval, context["params"])
        return [*asked, "--own-namespace", conf.namespace(), "--outcome-file", str(self._outcome_file)]
