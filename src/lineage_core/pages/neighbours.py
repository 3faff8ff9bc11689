"""Who reads and writes a dataset now, or what a job reads and writes: the edges next to it in its lineage graph."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.graph.graph import graph_in
from lineage_core.answers.graph.model import EdgeKind, Graph, Root
from lineage_core.pages.last_runs import NO_RUN, last_of_jobs
from lineage_core.pages.rows import MOST_ROWS, RowList
from lineage_core.pages.run_rows import LastOfJob
from lineage_core.postgres.connection import Connection


class GraphNeighbour(TypedDict):
    """What is at the other end of an edge, since when, when it was last seen, and how many runs saw it."""

    uses: EdgeKind
    uuid: UUID
    namespace: str
    name: str
    since: datetime
    last_seen: datetime | None
    runs: int


class DatasetUser(GraphNeighbour, LastOfJob):
    """A job that reads or writes a dataset, with its last run."""


def neighbours(connection: Connection, root: Root) -> RowList[GraphNeighbour]:
    """A row for each edge."""
    found = graph_in(connection, root, depth=1, most=MOST_ROWS + 1)
    rows = sorted(_rows(found), key=lambda row: (row["uses"], row["name"], row["namespace"]))
    return RowList(found.next is None, rows)


def users(connection: Connection, dataset: Root) -> RowList[DatasetUser]:
    """Likewise of a dataset, with the last run of each job."""
    found = neighbours(connection, dataset)
    runs = last_of_jobs(connection, [one["uuid"] for one in found.rows])
    return RowList(found.complete, [{**one, **runs.get(one["uuid"], NO_RUN)} for one in found.rows])


def _rows(found: Graph) -> list[GraphNeighbour]:
    root, *others = found.nodes
    nodes = {node.id: node for node in others}
    return [
        {
            "uses": edge.kind,
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
