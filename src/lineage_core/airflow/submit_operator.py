"""What the operators that submit a job of `spark_jobs/` have in common."""

from __future__ import annotations

import json
import sys
import tempfile
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.providers.common.compat.sdk import (
    AirflowException,
    AirflowFailException,
    AirflowNotFoundException,
    BaseHook,
)

from lineage_core.errors import NeedsOperator, needs_operator
from lineage_core.processes import end_processes, family, living
from lineage_core.settings import PROJECT, home_from_environment, store_list_from_environment, with_store
from lineage_core.store_list import STORE_OPTION
from lineage_core.submission import short_runs

if TYPE_CHECKING:
    from airflow.sdk import AssetAlias, BaseOperator, Context
    from airflow.sdk.definitions.mappedoperator import MappedOperator

    Operator = BaseOperator | MappedOperator


@contextmanager
def without_retries_for_a_person() -> Iterator[None]:
    """A task that needs a person fails at once, whatever its retries; any other error keeps them."""
    try:
        yield
    except NeedsOperator as error:
        raise AirflowFailException(str(error)) from error


KILL_SECONDS = 2.0
"""How long processes may take to end before they are killed. Airflow kills the task itself after five."""


def on_store(name: str | None) -> AbstractContextManager[None]:
    """While a task itself asks a store; None is the only one, or the default store."""
    return nullcontext() if name is None else with_store(name)


class SubmitJobOperator(SparkSubmitOperator):
    """Submits `spark_jobs/<job>.py` with the arguments that the DAG run asks for.

    name: what Spark calls it; the job's own name otherwise. store: the one of the list of stores that it works on; None
    where there is one, or for the default store.

    The job finds its database through `LINEAGE_DSN` of the worker's environment, or the variables that the list of
    stores names: neither the command line nor the rendered fields, which Airflow shows to its users, hold an address
    with a secret.
    """

    announced: ClassVar[Sequence[AssetAlias]] = ()
    """What its tasks may make events of: Airflow has to know that of a mapped task before there is any."""

    def __init__(
        self,
        *,
        job: str,
        name: str | None = None,
        conf: dict[str, str] | None = None,
        env_vars: dict[str, str] | None = None,
        store: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.store = store
        kwargs["outlets"] = kwargs.get("outlets") or list(self.announced)  # a mapped task is given None
        super().__init__(
            application=str(PROJECT / "spark_jobs" / f"{job}.py"),
            name=name or job,
            conf=short_runs(home_from_environment()) | (conf or {}),
            env_vars={"PYSPARK_PYTHON": sys.executable} | (env_vars or {}),
            **kwargs,
        )

    def job_arguments(self, context: Context) -> list[str]:
        """What the DAG run asks for, which is nothing unless an operator says so; raises NeedsOperator if its form is
        wrong.
        """
        return []

    def execute(self, context: Context) -> None:
        """Submit the job. Where a person is needed, for the form or by what the job says, the task fails at once."""
        with without_retries_for_a_person():
            self.application_args = [*self._store_arguments(), *self.job_arguments(context)]
            self._submit(context)

    def on_its_store(self) -> AbstractContextManager[None]:
        """While the task itself asks the store."""
        return on_store(self.store)

    def _store_arguments(self) -> list[str]:
        return [] if self.store is None else [f"{STORE_OPTION}{self.store}"]

    def _submit(self, context: Context) -> None:
        """Raises the last message of the job, its log's end: NeedsOperator if that says that a person is needed."""
        self._refuse_missing_connection()
        try:
            super().execute(context)
        except AirflowException as failed:
            kind = NeedsOperator if needs_operator(self._exit_code()) else AirflowException
            raise kind(self.in_airflow(self._last_word() or str(failed))) from failed

    def _refuse_missing_connection(self) -> None:
        """Without it, the provider would submit to YARN, which ends in words about Hadoop."""
        try:
            BaseHook.get_connection(self._conn_id)
        except AirflowNotFoundException as error:
            raise NeedsOperator(
                f"Airflow has no connection {self._conn_id!r}, which says where Spark runs. On this machine:"
                f" `airflow connections add {self._conn_id} --conn-type spark --conn-host 'local[*,4]'"
                """ --conn-extra '{"deploy-mode": "client"}'`"""
            ) from error

    def in_airflow(self, message: str) -> str:
        """The last message of the job, with advice that can be followed here."""
        return message

    def _last_word(self) -> str | None:
        """The error of the job itself, which stands among what Spark writes; None if it had none."""
        lines = self._hook._last_submit_log_lines if self._hook else ()
        return next((line.strip() for line in reversed(lines) if line.startswith("lineage: ")), None)

    def _exit_code(self) -> int:
        """Of the job: spark-submit hands it on, and on Kubernetes the hook reads it in the log. 0 if none is known."""
        submitted = self._hook._submit_sp if self._hook else None
        in_log = self._hook._spark_exit_code if self._hook else None
        return int(in_log or (submitted.returncode if submitted else 0) or 0)

    def on_kill(self) -> None:
        """End spark-submit as its provider does, and what is below it: killed alone, it leaves the driver to go on."""
        submitted = self._hook._submit_sp if self._hook else None
        below = family(submitted.pid) if submitted else []
        super().on_kill()
        end_processes(lambda: living(below), KILL_SECONDS)


def for_each_store(operator: type[SubmitJobOperator], **arguments: Any) -> Operator:
    """A task of the operator, mapped over the stores of the list where there is one: that of one store fails or waits
    by itself. Without a list it is the one task that it always was.
    """
    listed = store_list_from_environment()
    if listed is None:
        return operator(**arguments)
    shared = operator.partial(map_index_template="{{ task.store }}", outlets=list(operator.announced), **arguments)
    return shared.expand(store=list(listed.stores))


class ReportedJobOperator(SubmitJobOperator):
    """Submits a job that takes `--outcome-file`, and reports what it says it did."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._outcome_file = Path("outcome.json")

    def execute(self, context: Context) -> None:
        with tempfile.TemporaryDirectory(prefix="lineage-") as folder:
            self._outcome_file = Path(folder) / "outcome.json"
            super().execute(context)
            outcome = self._outcome()
        with self.on_its_store():
            self.report(context, outcome)

    @abstractmethod
    def report(self, context: Context, outcome: dict[str, Any] | None) -> None:
        """What the job says it did; None if its driver, on another machine, has written that there."""

    def outcome_arguments(self) -> list[str]:
        """Those of the job by which it says what it did."""
        return ["--outcome-file", str(self._outcome_file)]

    def _outcome(self) -> dict[str, Any] | None:
        return dict(json.loads(self._outcome_file.read_text())) if self._outcome_file.exists() else None
