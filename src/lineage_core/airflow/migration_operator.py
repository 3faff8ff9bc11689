"""The operator that runs or steers a long migration on Spark."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.common.compat.sdk import AirflowFailException
from airflow.sdk import Param

from lineage_core.airflow.migration_arguments import COMMANDS, migration_arguments
from lineage_core.errors import NeedsOperator
from lineage_core.settings import PROJECT
from lineage_core.submission import SHORT_RUNS

if TYPE_CHECKING:
    from airflow.sdk import Context


PARAMS = {
    "command": Param("run", enum=list(COMMANDS), title="Command", description="What to do."),
    "workers": Param(
        2, type="integer", minimum=1, maximum=64, title="Workers", description="How many ranges to work on at a time."
    ),
    "setting": Param(
        None, type=["null", "string"], title="Setting", description="For `set`: its name, such as target_seconds."
    ),
    "value": Param(None, type=["null", "string"], title="Value", description="For `set`: its new value."),
}
"""The form of a DAG that runs or steers a long migration."""


class MigrateOperator(SparkSubmitOperator):
    """Submits a job of `spark_jobs/` with the arguments that the form of the DAG run asks for.

    Its database comes from `LINEAGE_DSN` of the worker's environment, as that of the normalization does.
    """

    def __init__(
        self, *, job: str, conf: dict[str, str] | None = None, env_vars: dict[str, str] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(
            application=str(PROJECT / "spark_jobs" / f"{job}.py"),
            name=job,
            conf=SHORT_RUNS | (conf or {}),
            env_vars={"PYSPARK_PYTHON": sys.executable} | (env_vars or {}),
            **kwargs,
        )

    def execute(self, context: Context) -> None:
        """Submit the job; a run whose form is wrong fails at once, as trying again would not help."""
        try:
            self.application_args = migration_arguments(context["params"])
        except NeedsOperator as wrong:
            raise AirflowFailException(str(wrong)) from wrong
        super().execute(context)
