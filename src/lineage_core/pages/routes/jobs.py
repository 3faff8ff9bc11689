"""A job, or the list of all."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.store import root_place
from lineage_core.pages.cursors import page_of_names
from lineage_core.pages.facets import facets_of_version
from lineage_core.pages.job_versions import versions_with_changes
from lineage_core.pages.neighbours import neighbours
from lineage_core.pages.page import After, Limit, LineagePage, Reader, both_names
from lineage_core.pages.rows import MOST_ROWS, RowList, listed, row
from lineage_core.pages.volumes import Volume, volumes_of
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import job_version_facets

RUNS = 50


def jobs(
    store: Reader,
    namespace: str | None = None,
    name: str | None = None,
    limit: Limit = MOST_ROWS,
    after: After = None,
) -> dict[str, Any]:
    """The job of a name; without a name, all jobs in the order of their names, each with its last run."""
    if whole := both_names(namespace, name):
        return {"job": _job(store, *whole)}
    return {"job": None} | page_of_names(store, "jobs", namespace, limit, after)


def _job(store: Store, namespace: str, name: str) -> dict[str, Any]:
    root = Root(NodeKind.JOB, namespace, name)
    with graph_snapshot(store) as connection:
        uuid = root_place(connection, root).uuid
        found = row(connection, "job", job=uuid) or {}
        lists = {
            "datasets": neighbours(connection, root),
            "runs": _runs(connection, uuid),
            "versions": versions_with_changes(connection, uuid),
            "facets": facets_of_version(connection, found["version"], job_version_facets),
        }
    return found | lists


def _runs(connection: Connection, job: UUID) -> RowList:
    """The last ones, each with what it read and wrote."""
    found = listed(connection, "runs_of_job", RUNS, job=job)
    volumes = volumes_of(connection, [run["run"] for run in found.rows])
    unknown = Volume(None, None)
    rows = [
        {
            **run,
            "rows_read": read.rows,
            "bytes_read": read.bytes,
            "rows_written": written.rows,
            "bytes_written": written.bytes,
        }
        for run in found.rows
        for read, written in (volumes.get(run["run"], (unknown, unknown)),)
    ]
    return RowList(found.complete, rows)


PAGE = LineagePage("jobs", "Jobs", 3, jobs)
