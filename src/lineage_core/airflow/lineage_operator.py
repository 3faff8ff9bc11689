"""The operator that runs the normalization on Spark and says itself which tables it read and wrote."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.common.compat.sdk import AirflowFailException
from airflow.providers.openlineage.extractors import OperatorLineage

from lineage_core.airflow.job_arguments import Interval, job_arguments
from lineage_core.errors import NeedsOperator
from lineage_core.settings import PROJECT, Settings
from lineage_core.submission import SHORT_RUNS

if TYPE_CHECKING:
    from airflow.sdk import Context


class NormalizeLineageOperator(SparkSubmitOperator):
    """Submits `spark_jobs/normalize_lineage.py` with the arguments that the DAG run asks for.

    The job finds its database through `LINEAGE_DSN` of the worker's environment: neither the command line nor the
    rendered fields, which Airflow shows to its users, hold an address with a secret.
    """

    def __init__(
        self, *, conf: dict[str, str] | None = None, env_vars: dict[str, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(
            application=str(PROJECT / "spark_jobs" / "normalize_lineage.py"),
            name="normalize_lineage",
            conf=SHORT_RUNS | (conf or {}),
            env_vars={"PYSPARK_PYTHON": sys.executable} | (env_vars or {}),
            **kwargs,
        )

    def execute(self, context: Context) -> None:
        """Submit the job; a run whose form is wrong fails at once, as trying again would not help."""
        try:
            self.application_args = _arguments(context)
        except NeedsOperator as wrong:
            raise AirflowFailException(str(wrong)) from wrong
        super().execute(context)

    def get_openlineage_facets_on_complete(self, task_instance: object) -> OperatorLineage[Any, Any]:
        """The tables read and written. Spark's listener would see none of them, as rows go by COPY."""
        from lineage_core.airflow.datasets import dataset
        from lineage_core.tables import normalized_tables, table

        dsn = Settings.from_environment().dsn
        if dsn is None:
            return OperatorLineage()
        return OperatorLineage(
            inputs=[dataset(dsn, table("lineage_events"))],
            outputs=[dataset(dsn, written) for written in normalized_tables()],
        )


def _arguments(context: Context) -> list[str]:
    start, end = context.get("data_interval_start"), context.get("data_interval_end")
    # A manual run may have no interval, or one of no length.
    interval = Interval(start, end) if start and end and start < end else None
    return job_arguments(context["dag_run"].run_type.value, interval, context["params"])
