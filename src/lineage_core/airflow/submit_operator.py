"""What the operators that submit a job of `spark_jobs/` have in common."""

from __future__ import annotations

import sys
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.common.compat.sdk import AirflowFailException

from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import end_processes, family, living
from lineage_core.settings import PROJECT, ProjectSettings
from lineage_core.submission import short_runs

if TYPE_CHECKING:
    from airflow.sdk import Context


KILL_SECONDS = 2.0
"""How long processes may take to end before they are killed. Airflow kills the task itself after five."""


class SubmitJobOperator(SparkSubmitOperator):
    """Submits `spark_jobs/<job>.py` with the arguments that the DAG run asks for.

    name: what Spark calls it; the job's own name otherwise.

    The job finds its database through `LINEAGE_DSN` of the worker's environment: neither the command line nor the
    rendered fields, which Airflow shows to its users, hold an address with a secret.
    """

    def __init__(
        self,
        *,
        job: str,
        name: str | None = None,
        conf: dict[str, str] | None = None,
        env_vars: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            application=str(PROJECT / "spark_jobs" / f"{job}.py"),
            name=name or job,
            conf=short_runs(ProjectSettings.from_environment().home) | (conf or {}),
            env_vars={"PYSPARK_PYTHON": sys.executable} | (env_vars or {}),
            **kwargs,
        )

    @abstractmethod
    def job_arguments(self, context: Context) -> list[str]:
        """What the DAG run asks for; raises NeedsOperator if its form is wrong."""

    def execute(self, context: Context) -> None:
        """Submit the job; a run whose form is wrong fails at once, as trying again would not help."""
        try:
            self.application_args = self.job_arguments(context)
        except NeedsOperator as wrong:
            raise AirflowFailException(str(wrong)) from wrong
        super().execute(context)

    def on_kill(self) -> None:
        """End spark-submit as its provider does, and what is below it: killed alone, it leaves the driver to go on."""
        submitted = self._hook._submit_sp if self._hook else None
        below = family(submitted.pid) if submitted else []
        super().on_kill()
        end_processes(lambda: living(below), KILL_SECONDS)
