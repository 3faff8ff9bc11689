"""Events like those that the peer was measured with: about 10 KB, 200 jobs in 20 DAGs, START and COMPLETE of each run.

Each has two inputs and one output of 20 columns with dataSource, the output with column lineage of 20 by 2; three run
facets and two job facets.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

JOBS = 200
DAGS = 20
COLUMNS = 20
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
PRODUCER = "https://producer.example/1.0"
_SPEC = "https://openlineage.io/spec/facets/1-0-0/Facet.json"
_NAMESPACE = uuid.UUID("0190a0a0-0000-7000-8000-000000000000")

Document = dict[str, Any]


def documents(runs: int, first_run: int = 0) -> Iterator[bytes]:
    """START and COMPLETE of each run, in order; run n is of job n modulo 200 and a second after the run before it."""
    for run in range(first_run, first_run + runs):
        for event_type, minutes in (("START", 0), ("COMPLETE", 5)):
            yield json.dumps(_event(run, event_type, minutes), separators=(",", ":")).encode()


def _event(run: int, event_type: str, minutes: int) -> Document:
    job = run % JOBS
    dag = job % DAGS
    inputs = [_dataset(f"raw.table_{(job * 7 + 1) % 600}"), _dataset(f"raw.table_{(job * 7 + 2) % 600}")]
    return {
        "eventType": event_type,
        "eventTime": (BEGIN + timedelta(seconds=run, minutes=minutes)).isoformat(),
        "producer": PRODUCER,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": str(uuid.uuid5(_NAMESPACE, str(run))), "facets": _run_facets(run, dag)},
        "job": {"namespace": "warehouse", "name": f"dag_{dag}.task_{job}", "facets": _job_facets(job)},
        "inputs": inputs,
        "outputs": [_output(f"mart.table_{job}", inputs)],
    }


def _facet(**members: Any) -> Document:
    return {"_producer": PRODUCER, "_schemaURL": _SPEC, **members}


def _run_facets(run: int, dag: int) -> Document:
    return {
        "nominalTime": _facet(nominalStartTime=(BEGIN + timedelta(hours=run // JOBS)).isoformat()),
        "processing_engine": _facet(version="4.2.0", name="spark", openlineageAdapterVersion="1.53.0"),
        "environment": _facet(dag=f"dag_{dag}", attempt=1, host=f"worker-{run % 16}", queue="default"),
    }


def _job_facets(job: int) -> Document:
    columns = ", ".join(f"column_{number}" for number in range(COLUMNS))
    return {
        "sql": _facet(query=f"INSERT INTO mart.table_{job} SELECT {columns} FROM raw.table_{job} JOIN raw.other"),
        "sourceCodeLocation": _facet(type="git", url=f"https://git.example/jobs/task_{job}.sql"),
    }


def _dataset(name: str) -> Document:
    fields = [{"name": f"column_{number}", "type": "VARCHAR(64)"} for number in range(COLUMNS)]
    return {
        "namespace": "postgres://db.example:5432",
        "name": name,
        "facets": {
            "schema": _facet(fields=fields),
            "dataSource": _facet(name="postgres://db.example:5432", uri="postgres://db.example:5432/warehouse"),
        },
    }


def _output(name: str, inputs: list[Document]) -> Document:
    described = _dataset(name)
    described["facets"]["columnLineage"] = _facet(
        fields={
            f"column_{number}": {
                "inputFields": [
                    {"namespace": read["namespace"], "name": read["name"], "field": f"column_{number}"}
                    for read in inputs
                ]
            }
            for number in range(COLUMNS)
        }
    )
    return described
