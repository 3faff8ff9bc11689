"""Runs that read and write a few datasets, of which one may be bad."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event
from tests.support.stores import rows

NAMESPACE = "shop"
FIELDS = [("a", "INT"), ("b", "INT")]
DAY = timedelta(days=1)


def run(number: int) -> UUID:
    return UUID(f"0190a0a0-0000-7000-8000-{number:012}")


def ran(
    number: int,
    *,
    reads: str = "",
    writes: str = "",
    end: str = "COMPLETE",
    facets: Document | None = None,
    made_of: Document | None = None,
    day: float | None = None,
    job: str | None = None,
) -> list[Document]:
    """A run of `job N` that starts at minute N: `reads` and `writes` are names of datasets, one word each."""
    lineage = {"columnLineage": facet(fields=made_of)} if made_of is not None else {}
    outputs = [dataset(name, NAMESPACE, fields=FIELDS, facets=lineage) for name in writes.split()]
    inputs = [dataset(name, NAMESPACE, fields=FIELDS) for name in reads.split()]
    return [
        run_event(
            kind,
            run_id=str(run(number)),
            job=named_job(job or f"job {number}", NAMESPACE),
            time=TIME + (timedelta(minutes=number) if day is None else day * DAY) + timedelta(seconds=seconds),
            inputs=inputs,
            outputs=outputs,
            facets=facets,
        )
        for seconds, kind in enumerate(("START", end))
    ]


def task(dag: str, dag_run: str) -> Document:
    return {"airflow": facet(dag={"dag_id": dag}, dagRun={"run_id": dag_run, "dag_id": dag}, task={}, taskUuid="")}


def from_column(name: str, column: str) -> Document:
    return {"inputFields": [{"namespace": NAMESPACE, "name": name, "field": column}]}


def written_by(store: Store, number: int) -> set[UUID]:
    return {one for (one,) in rows(store, "SELECT uuid FROM dataset_versions WHERE run_uuid = %s", [run(number)])}


CHAIN = [*ran(1, writes="raw"), *ran(2, reads="raw", writes="clean"), *ran(3, reads="clean", writes="report")]
