"""The operator that runs the normalization on Spark and says itself which tables it read and wrote."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from airflow.providers.openlineage.extractors import OperatorLineage

from lineage_core.airflow import metrics
from lineage_core.airflow.assets import NORMALIZATION, announce
from lineage_core.airflow.job_arguments import Interval, job_arguments
from lineage_core.airflow.submit_operator import SubmitJobOperator
from lineage_core.settings import ProjectSettings

if TYPE_CHECKING:
    from airflow.sdk import Context


class NormalizeLineageOperator(SubmitJobOperator):
    """Submits `spark_jobs/normalize_lineage.py`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(job="normalize_lineage", outlets=[NORMALIZATION], **kwargs)
        self._outcome_file = Path("outcome.json")
        self._changed: dict[str, int] = {}

    def execute(self, context: Context) -> None:
        """Submits the job, keeps what it says it has changed, and lets other DAGs know of that."""
        with tempfile.TemporaryDirectory(prefix="lineage-") as folder:
            self._outcome_file = Path(folder) / "outcome.json"
            super().execute(context)
            outcome = self._outcome()
        self._changed = dict(outcome["changed"]) if outcome else {}
        announce(context, self._changed if outcome else None)
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
        return [*asked, "--outcome-file", str(self._outcome_file)]

    def get_openlineage_facets_on_complete(self, task_instance: object) -> OperatorLineage[Any, Any]:
        """The raw events, and each table of which the run has changed rows, with how many; nothing if it changed none.

        Spark's listener would see none of them, as rows go by COPY.
        """
        from lineage_core.airflow.datasets import dataset_of_table, written_table
        from lineage_core.model.tables import normalized_tables, table_named

        dsn = ProjectSettings.from_environment().dsn
        written = [table for table in normalized_tables() if table.name in self._changed]
        if dsn is None or not written:
            return OperatorLineage()
        return OperatorLineage(
            inputs=[dataset_of_table(dsn, table_named("lineage_events"))],
            outputs=[written_table(dsn, table, self._changed[table.name]) for table in written],
        )
