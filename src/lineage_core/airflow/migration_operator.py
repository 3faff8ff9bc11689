"""The operator that runs or steers a long migration on Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from airflow.sdk import Param

from lineage_core.airflow import metrics
from lineage_core.airflow.migration_arguments import COMMANDS, LONGEST_VALUE, SETTINGS, VALUE, migration_arguments
from lineage_core.airflow.submit_operator import SubmitJobOperator

if TYPE_CHECKING:
    from airflow.sdk import Context


PARAMS = {
    "command": Param("run", enum=list(COMMANDS), title="Command", description="What to do."),
    "workers": Param(
        2, type="integer", minimum=1, maximum=64, title="Workers", description="How many ranges to work on at a time."
    ),
    "setting": Param(
        None,
        type=["null", "string"],
        enum=[None, *SETTINGS],
        title="Setting",
        description="For `set`: its name, such as target_seconds.",
    ),
    "value": Param(
        None,
        type=["null", "string"],
        pattern=VALUE,
        maxLength=LONGEST_VALUE,
        title="Value",
        description="For `set`: its new value. That of hold_query is the name of a query that the store's owner has"
        " stored; `lineage migration hold-query list` shows them.",
    ),
}
"""The form of a DAG that runs or steers a long migration."""


class MigrateOperator(SubmitJobOperator):
    """Submits `spark_jobs/migrate.py` for one long migration."""

    def __init__(self, *, migration: str, **kwargs: Any) -> None:
        super().__init__(job="migrate", **kwargs)
        self._migration = migration

    def execute(self, context: Context) -> None:
        """Submits the job, and reports how far migrations are."""
        super().execute(context)
        metrics.report_store()

    def job_arguments(self, context: Context) -> list[str]:
        """The migration, and what the form of the DAG run asks for."""
        return [self._migration, *migration_arguments(context["params"])]
