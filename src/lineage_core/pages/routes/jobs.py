"""A job, or the list of all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.model import NodeKind, Root
from lineage_core.answers.graph.store import root_place
from lineage_core.pages.cursors import next_of, page_of_names
from lineage_core.pages.facets import LastFacet, facets_of_version
from lineage_core.pages.job_versions import ChangedVersion, versions_with_changes
from lineage_core.pages.neighbours import GraphNeighbour, neighbours
from lineage_core.pages.page import After, Limit, LineagePage, Reader, both_names
from lineage_core.pages.rows import MOST_ROWS, RowList, known_row, listed
from lineage_core.pages.run_rows import ListedJob, RunOfJob
from lineage_core.pages.volumes import Volume, volumes_of
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import job_version_facets

RUNS = 50


class JobList(TypedDict):
    """next: `after` of the next page."""

    job: None
    complete: bool
    next: str | None
    jobs: Sequence[ListedJob]


class JobRow(TypedDict):
    """A job, and the names of the job that starts it, if one does. location: of its source."""

    uuid: UUID
    namespace: str | None
    name: str
    type: str
    description: str | None
    created_at: datetime
    updated_at: datetime
    location: str | None
    version: UUID | None
    parent_namespace: str | None
    parent_name: str | None


class RunVolumes(RunOfJob):
    """A run, with what it read and wrote; null where no event counts it."""

    rows_read: float | None
    bytes_read: float | None
    rows_written: float | None
    bytes_written: float | None


class JobDocument(JobRow):
    """datasets: what it reads and writes now. runs, versions: the last one first. facets: by name."""

    datasets: RowList[GraphNeighbour]
    runs: RowList[RunVolumes]
    versions: RowList[ChangedVersion]
    facets: dict[str, LastFacet]


class JobPage(TypedDict):
    """Where one is asked for."""

    job: JobDocument


def jobs(
    store: Reader,
    namespace: str | None = None,
    name: str | None = None,
    limit: Limit = MOST_ROWS,
    after: After = None,
) -> JobPage | JobList:
    """The job of a name; without a name, all jobs in the order of their names, each with its last run."""
    if whole := both_names(namespace, name):
        return {"job": _job(store, *whole)}
    found = page_of_names(store, ListedJob, "jobs", namespace, limit, after)
    return {"job": None, "complete": found.complete, "next": next_of(found), "jobs": found.rows}


def _job(store: Store, namespace: str, name: str) -> JobDocument:
    root = Root(NodeKind.JOB, namespace, name)
    with graph_snapshot(store) as connection:
        uuid = UUID(root_place(connection, root).uuid)
        found = known_row(connection, JobRow, "job", job=uuid)
        return {
            **found,
            "datasets": neighbours(connection, root),
            "runs": _runs(connection, uuid),
            "versions": versions_with_changes(connection, uuid),
            "facets": facets_of_version(connection, found["version"], job_version_facets),
        }


def _runs(connection: Connection, job: UUID) -> RowList[RunVolumes]:
    """The last ones, each with what it read and wrote."""
    found = listed(connection, RunOfJob, "runs_of_job", RUNS, job=job)
    volumes = volumes_of(connection, [run["run"] for run in found.rows])
    unknown = Volume(None, None)
    rows: list[RunVolumes] = [
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
