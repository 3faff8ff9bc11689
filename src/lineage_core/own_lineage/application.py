"""A Spark application of ours as a run of OpenLineage: below the task that submitted it, and below the DAG run."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from lineage_core.own_lineage.datasets import PRODUCER, Dataset, facet
from lineage_core.postgres.addresses import redacted
from lineage_core.settings import dsns_in_environment

RUN_EVENT = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
KEPT_CHARACTERS = 4_000
"""Of an error message, from its end: a failed job's may quote hundreds of lines of a log."""

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
