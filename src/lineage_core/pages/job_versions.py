"""The last versions of a job, and what each changed of what the job reads and writes, and of where its source is."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.pages.rows import RowList, listed
from lineage_core.postgres.connection import Connection

VERSIONS = 20
MOST_USES = 10_000
"""Datasets of these versions together. Of more, what changed is left out, as some would be missing."""

_USES = {"INPUT": "reads", "OUTPUT": "writes"}


class DatasetUse(TypedDict):
    """uses: reads or writes."""

    uses: str
    namespace: str | None
    name: str


class _JobVersion(TypedDict):
    version: UUID
    made_at: datetime
    last_at: datetime
    location: str | None


class ChangedVersion(_JobVersion):
    """A version of a job. came, went: what it uses and the one before does not, and the other way round; null of the
    first one, and where that is not known. moved: whether the location of its source is another."""

    came: list[DatasetUse] | None
    went: list[DatasetUse] | None
    moved: bool


class _VersionUses(TypedDict):
    version: UUID
    io_type: str
    namespace: str | None
    name: str


def versions_with_changes(connection: Connection, job: UUID) -> RowList[ChangedVersion]:
    """The last versions, the last first."""
    found = listed(connection, _JobVersion, "versions_of_job", VERSIONS + 1, job=job)
    uses = listed(
        connection,
        _VersionUses,
        "uses_of_job_versions",
        MOST_USES,
        versions=[one["version"] for one in found.rows],
    )
    by_version: defaultdict[UUID, set[tuple[str, str | None, str]]] = defaultdict(set)
    for row in uses.rows:
        by_version[row["version"]].add((_USES[row["io_type"]], row["namespace"], row["name"]))
    rows: list[ChangedVersion] = [
        {
            **one,
            "came": _described(by_version[one["version"]] - by_version[before["version"]]) if uses.complete else None,
            "went": _described(by_version[before["version"]] - by_version[one["version"]]) if uses.complete else None,
            "moved": one["location"] != before["location"],
        }
        for one, before in pairwise(found.rows)
    ]
    first: list[ChangedVersion] = [{**one, "came": None, "went": None, "moved": False} for one in found.rows[-1:]]
    return RowList(found.complete and len(found.rows) <= VERSIONS, [*rows, *first][:VERSIONS])


def _described(uses: set[tuple[str, str | None, str]]) -> list[DatasetUse]:
    return [{"uses": one, "namespace": namespace, "name": name} for one, namespace, name in sorted(uses)]
