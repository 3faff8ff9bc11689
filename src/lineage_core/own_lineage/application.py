"""The platform's own jobs: which they are, and an application of Spark as a run of OpenLineage.

The run is below the task that submitted it, and below the DAG run.
"""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Protocol

from lineage_core.errors import LineageError
from lineage_core.ingest.delivery import deliver
from lineage_core.own_lineage.datasets import PRODUCER, Dataset, facet
from lineage_core.postgres.addresses import redacted
from lineage_core.settings import PROJECT, dsns_in_environment, store_list_from_environment
from lineage_core.store_list import dag_of_each_store

RUN_EVENT = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
KEPT_CHARACTERS = 4_000
"""Of an error message, from its end: a failed job's may quote hundreds of lines of a log."""

_log = logging.getLogger(__name__)

_PARENT, _ROOT = "spark.openlineage.parent{}", "spark.openlineage.rootParent{}"


@dataclass(frozen=True)
class NamedRun:
    """A run and its job."""

    namespace: str
    job: str
    run_id: str

    @classmethod
    def of(cls, conf: Mapping[str, str], setting: str) -> NamedRun | None:
        """The run that Spark's settings name, as Airflow's provider injects them; None if they name none."""
        names = [conf.get(setting.format(word)) for word in ("JobNamespace", "JobName", "RunId")]
        return cls(*(name or "" for name in names)) if all(names) else None

    def to_json(self) -> dict[str, Any]:
        return {"run": {"runId": self.run_id}, "job": {"namespace": self.namespace, "name": self.job}}


@dataclass(frozen=True)
class ApplicationRun:
    """One application of Spark, as its events report it."""

    name: str
    """Of the application, such as `normalize_lineage`."""
    spark_version: str
    parent: NamedRun
    root: NamedRun

    @classmethod
    def of(cls, conf: Mapping[str, str], name: str, spark_version: str) -> ApplicationRun | None:
        """The run of an application that a task submitted; None if Spark's settings name no task."""
        parent = NamedRun.of(conf, _PARENT)
        if parent is None:
            return None
        return cls(name, spark_version, parent, NamedRun.of(conf, _ROOT) or parent)

    @property
    def job(self) -> str:
        """Its job, named after the task's, as the task's is after the DAG's: `DAG.TASK.APPLICATION`."""
        return f"{self.parent.job}.{self.name}"

    @property
    def run_id(self) -> str:
        """Follows from the task's run, so that all its events agree. Each try of a task has a run of its own."""
        return str(uuid.uuid5(uuid.UUID(self.parent.run_id), self.name))

    def started(self) -> dict[str, Any]:
        """The event that it has begun."""
        return self._event("START")

    def completed(self, inputs: Sequence[Dataset], outputs: Sequence[Dataset]) -> dict[str, Any]:
        """The event that it has ended, with what it read and changed."""
        return self._event("COMPLETE") | {"inputs": list(inputs), "outputs": list(outputs)}

    def failed(self, message: str) -> dict[str, Any]:
        """The event that it has failed."""
        error = facet("1-0-1/ErrorMessageRunFacet", message=reportable(message), programmingLanguage="python")
        event = self._event("FAIL")
        event["run"]["facets"]["errorMessage"] = error
        return event

    def _event(self, event_type: str) -> dict[str, Any]:
        return {
            "eventType": event_type,
            "eventTime": datetime.now(UTC).isoformat(),
            "producer": PRODUCER,
            "schemaURL": RUN_EVENT,
            "run": {"runId": self.run_id, "facets": self._run_facets()},
            "job": {"namespace": self.parent.namespace, "name": self.job, "facets": _JOB_FACETS},
            "inputs": [],
            "outputs": [],
        }

    def _run_facets(self) -> dict[str, Any]:
        engine = facet("1-1-1/ProcessingEngineRunFacet", name="spark", version=self.spark_version)
        parent = facet("1-2-0/ParentRunFacet", **self.parent.to_json(), root=self.root.to_json())
        return {"parent": parent, "processing_engine": engine}


def reportable(message: str) -> str:
    """An error message as an event may have it: its end, without the secrets of DSNs."""
    return redacted(message, *dsns_in_environment())[-KEPT_CHARACTERS:]


_JOB_FACETS = {
    "jobType": facet("2-0-4/JobTypeJobFacet", integration="SPARK", processingType="BATCH", jobType="APPLICATION")
}


class SubmittedApplication(Protocol):
    """An application of Spark, which a task of Airflow may have submitted."""

    @property
    def name(self) -> str: ...

    def submitted_settings(self) -> dict[str, str] | None:
        """Spark's settings; None if it is not submitted."""
        ...

    def when_started(self, follow: Callable[[], None], /) -> None:
        """Calls a function once there is a session of Spark."""
        ...


@contextmanager
def reported(spark: SubmittedApplication) -> Iterator[ReportedApplication]:
    """Reports an application that a task has submitted: from the start of its Spark, or of what it says that it has
    changed, to the end of the block."""
    with ExitStack() as ending:
        application = ReportedApplication(spark, ending)
        spark.when_started(application.begin)
        yield application


class ReportedApplication:
    """Made by `reported`."""

    def __init__(self, spark: SubmittedApplication, ending: ExitStack) -> None:
        self._spark = spark
        self._ending = ending
        self._has_begun = False
        self._inputs: Sequence[Dataset] = ()
        self._outputs: Sequence[Dataset] = ()

    def state(self, inputs: Sequence[Dataset], outputs: Sequence[Dataset]) -> None:
        """What the job has read and changed, which is reported when the block ends; also if it needed no Spark."""
        self._inputs, self._outputs = inputs, outputs
        if outputs:
            self.begin()

    def begin(self) -> None:
        """Reports that it has begun, once, and only if a task has submitted it."""
        settings = None if self._has_begun else self._spark.submitted_settings()
        if settings is None:
            return
        self._has_begun = True
        run = ApplicationRun.of(settings, self._spark.name, version("pyspark"))
        if run is not None:
            self._ending.enter_context(self._reporting(run))

    @contextmanager
    def _reporting(self, run: ApplicationRun) -> Iterator[None]:
        _report(run.started())
        try:
            yield
        except BaseException as error:
            _report(run.failed(f"{type(error).__name__}: {error}"))
            raise
        _report(run.completed(self._inputs, self._outputs))


def _report(event: dict[str, Any]) -> None:
    """Delivers it. Work that is done does not fail for want of its event: Airflow's provider does the same."""
    try:
        deliver(json.dumps(event).encode())
    except LineageError as error:
        _log.error("The lineage of this application is not complete. %s", error)


EXAMPLES = frozenset({"match_scores_leaderboard"})
"""DAGs of this project that stand for its users' own."""

_OF_LONG_MIGRATIONS = "long_migrations"
"""The file that has the DAGs of all of them."""


@dataclass(frozen=True)
class OwnJobs:
    """Jobs of a namespace that are named after DAGs: `DAG`, and `DAG.TASK`."""

    namespace: str
    """The namespace of the Airflow that runs them, as its events spell it."""
    dags: tuple[str, ...]


def own_jobs(namespace: str, long_migrations: Iterable[str]) -> OwnJobs:
    """The jobs of this project's DAGs. The name of a DAG's file is its id, but for the one that has a DAG for each long
    migration: `long_migrations` are these ids. Where there are several stores, some have a DAG for each of them."""
    files = {file.stem for file in (PROJECT / "dags").glob("*.py")} - EXAMPLES - {_OF_LONG_MIGRATIONS}
    listed = store_list_from_environment()
    of_stores = {dag for file in files for dag in dag_of_each_store(file, listed)}
    return OwnJobs(namespace, tuple(sorted(of_stores | {*long_migrations})))
