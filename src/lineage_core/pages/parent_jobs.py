"""The jobs that started the jobs of a graph: a DAG of Airflow, an application of Spark. By these a drawing groups."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.graph.model import Node, NodeKind
from lineage_core.pages.rows import listed
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot


class _ParentJob(TypedDict):
    """Of a job, the job that started it."""

    job: UUID
    parent: UUID
    name: str


def parent_names(store: Store, nodes: Sequence[Node]) -> dict[str, str]:
    """The name of the parent of each job that has one, by the job's id. A job that is such a parent has its own name:
    it is in the group of those that it started."""
    jobs = {node.id: node.name for node in nodes if node.kind is NodeKind.JOB}
    if not jobs:
        return {}
    with snapshot(store) as connection:
        found = listed(connection, _ParentJob, "parents_of_jobs", len(jobs), jobs=[UUID(one) for one in jobs]).rows
    parents = {str(one["parent"]): one["name"] for one in found if str(one["parent"]) in jobs}
    return parents | {str(one["job"]): one["name"] for one in found}
