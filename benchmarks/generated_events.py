"""Events like those that the peer was measured with: about 10 KB, with column lineage of 20 by 2 columns.

Each has two inputs and one output of 20 columns with dataSource; three run facets and two job facets. There are eight
shapes of how much is repeated:

* repeating: 200 jobs in 20 DAGs, START and COMPLETE of each run; only times and hosts differ from run to run.
* many: as repeating, but with 4,000 jobs, so that a slice of 64 MiB has each job once.
* most: as repeating, but with 100,000 jobs.
* sparse: each event is the only one of its run and its job, and has datasets, columns and facets of its own.
* moving: as repeating, but run facets and statistics differ in every event, and every twentieth version has a new
  column.
* dated: as repeating, but each run writes a dataset of its own, as one that has the day in its name: its job has a
  version for each run.
* changing: one dataset is written by each run and read by another, and has a column each time that it never had.
* streaming: each run writes one dataset, and the only run of a streaming job, which reads it, has an event.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

JOBS = 200
DAGS = 20
COLUMNS = 20
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PRODUCER = "https://producer.example/1.0"
_SPEC = "https://openlineage.io/spec/facets/1-0-0/Facet.json"
_NAMESPACE = uuid.UUID("0190a0a0-0000-7000-8000-000000000000")

Document = dict[str, Any]


def documents(runs: int, first_run: int = 0, shape: str = "repeating") -> Iterator[bytes]:
    """Two events a run, in order; run n is a second after the run before it."""
    events = SHAPES[shape]
    for run in range(first_run, first_run + runs):
        for event in events(run):
            yield json.dumps(event, separators=(",", ":")).encode()


def _repeating(run: int, jobs: int = JOBS) -> Iterator[Document]:
    """Run n is of job n modulo the number of jobs."""
    for event_type, minutes in (("START", 0), ("COMPLETE", 5)):
        yield _event(run, run % jobs, event_type, minutes, [f"column_{number}" for number in range(COLUMNS)])


def _sparse(run: int) -> Iterator[Document]:
    for number in (2 * run, 2 * run + 1):
        event = _event(number, number, "COMPLETE", 0, [f"column_{column}_of_{number}" for column in range(COLUMNS)])
        event["run"]["facets"]["environment"]["host"] = f"worker-{number}"
        yield event


def _moving(run: int) -> Iterator[Document]:
    columns = [f"column_{number}" for number in range(COLUMNS + run // JOBS // 20)]
    for event_type, minutes in (("START", 0), ("COMPLETE", 5)):
        event = _event(run, run % JOBS, event_type, minutes, columns)
        event["run"]["facets"]["environment"]["attemptId"] = f"{run}-{event_type}"
        event["run"]["facets"]["nominalTime"] = _facet(nominalStartTime=event["eventTime"])
        event["outputs"][0]["outputFacets"] = {"outputStatistics": _facet(rowCount=run * 7 + minutes, size=run * 701)}
        yield event


def _dated(run: int) -> Iterator[Document]:
    for event in _repeating(run):
        event["outputs"][0]["name"] += f"_of_{run}"
        yield event


def _changing(run: int) -> Iterator[Document]:
    columns = [*(f"column_{number}" for number in range(COLUMNS)), f"column_of_{run}"]
    writing = _event(run, 0, "COMPLETE", 0, columns)
    yield writing
    read = _dataset(writing["outputs"][0]["name"], columns)
    reading = _event(-1 - run, 1, "COMPLETE", 0, columns)
    yield {
        **reading,
        "eventTime": writing["eventTime"],
        "inputs": [read],
        "outputs": [_output("mart.read", [read], columns)],
    }


def _streaming(run: int) -> Iterator[Document]:
    columns = [f"column_{number}" for number in range(COLUMNS)]
    writing = _event(run, 0, "COMPLETE", 0, columns)
    yield writing
    read = _dataset(writing["outputs"][0]["name"], columns)
    streamed = _event(run, 1, "RUNNING", 0, columns)
    streamed["run"]["runId"] = str(_NAMESPACE)
    streamed["job"]["facets"]["jobType"] = _facet(processingType="STREAMING", integration="FLINK", jobType="JOB")
    yield {**streamed, "inputs": [read], "outputs": [_output("mart.streamed", [read], columns)]}


SHAPES: dict[str, Callable[[int], Iterator[Document]]] = {
    "repeating": _repeating,
    "many": partial(_repeating, jobs=4_000),
    "most": partial(_repeating, jobs=100_000),
    "sparse": _sparse,
    "moving": _moving,
    "dated": _dated,
    "changing": _changing,
    "streaming": _streaming,
}


def _event(run: int, job: int, event_type: str, minutes: int, columns: list[str]) -> Document:
    dag = job % DAGS
    reads = (job * 7 + 1, job * 7 + 2)
    inputs = [_dataset(f"raw.table_{number % 600 if job < JOBS else number}", columns) for number in reads]
    return {
        "eventType": event_type,
        "eventTime": (BEGIN + timedelta(seconds=run, minutes=minutes)).isoformat(),
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(uuid.uuid5(_NAMESPACE, str(run))), "facets": _run_facets(run, dag)},
        "job": {"namespace": "warehouse", "name": f"dag_{dag}.task_{job}", "facets": _job_facets(job, columns)},
        "inputs": inputs,
        "outputs": [_output(f"mart.table_{job}", inputs, columns)],
    }


def _facet(**members: Any) -> Document:
    return {"_producer": PRODUCER, "_schemaURL": _SPEC, **members}


def _run_facets(run: int, dag: int) -> Document:
    return {
        "nominalTime": _facet(nominalStartTime=(BEGIN + timedelta(hours=run // JOBS)).isoformat()),
        "processing_engine": _facet(version="4.2.0", name="spark", openlineageAdapterVersion="1.53.0"),
        "environment": _facet(dag=f"dag_{dag}", attempt=1, host=f"worker-{run % 16}", queue="default"),
    }


def _job_facets(job: int, columns: list[str]) -> Document:
    listed = ", ".join(columns)
    return {
        "sql": _facet(query=f"INSERT INTO mart.table_{job} SELECT {listed} FROM raw.table_{job} JOIN raw.other"),
        "sourceCodeLocation": _facet(type="git", url=f"https://git.example/jobs/task_{job}.sql"),
    }


def _dataset(name: str, columns: list[str]) -> Document:
    return {
        "namespace": "postgres://db.example:5432",
        "name": name,
        "facets": {
            "schema": _facet(fields=[{"name": column, "type": "VARCHAR(64)"} for column in columns]),
            "dataSource": _facet(name="postgres://db.example:5432", uri="postgres://db.example:5432/warehouse"),
        },
    }


def _output(name: str, inputs: list[Document], columns: list[str]) -> Document:
    described = _dataset(name, columns)
    described["facets"]["columnLineage"] = _facet(
        fields={
            column: {
                "inputFields": [
                    {"namespace": read["namespace"], "name": read["name"], "field": column} for read in inputs
                ]
            }
            for column in columns
        }
    )
    return described
