"""Who reads and writes a dataset now, or what a job reads and writes: the edges next to it in its lineage graph."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from lineage_core.answers.graph.graph import graph_in
from lineage_core.answers.graph.model import EdgeKind, Graph, NodeKind, Root
from lineage_core.pages.rows import MOST_ROWS, RowList
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row


def neighbours(connection: Connection, root: Root) -> RowList:
    """A row for each edge: `uses`, what is at its other end, since when, when it was last seen, and how many runs saw
    it. A job has its last run, too."""
    found = graph_in(connection, root, depth=1, most=MOST_ROWS + 1)
    rows = sorted(_rows(found), key=lambda row: (row["uses"], row["name"], row["namespace"]))
    if root.kind is NodeKind.DATASET:
        runs = _last_runs(connection, rows)
        rows = [row | runs.get(row["uuid"], _NO_RUN) for row in rows]
    return RowList(found.next is None, rows)


_NO_RUN = {"run": None, "state": None, "last_at": None}


def _rows(found: Graph) -> list[dict[str, Any]]:
    root, *others = found.nodes
    nodes = {node.id: node for node in others}
    return [
        {
            "uses": edge.kind.value,
            "uuid": UUID(other.id),
            "namespace": other.namespace,
            "name": other.name,
            "since": edge.since,
            "last_seen": edge.last_seen,
            "runs": edge.runs,
        }
        for edge in found.edges
        if edge.kind in (EdgeKind.READS, EdgeKind.WRITES)
        and (other := nodes.get(edge.to if edge.from_ == root.id else edge.from_)) is not None
    ]


def _last_runs(connection: Connection, jobs: list[dict[str, Any]]) -> dict[UUID, dict[str, Any]]:
    asked = {"jobs": [job["uuid"] for job in jobs]}
    found: list[dict[str, Any]] = every_row(connection, dict, "pages/last_runs_of_jobs", asked)
    return {run.pop("job"): run for run in found}
