"""What stands on something bad, by name: the jobs and datasets of the runs and versions that an answer lists by ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.answers.affected.answer import AffectedAnswer
from lineage_core.pages.last_runs import NO_RUN, last_of_jobs
from lineage_core.pages.names import RunName, VersionName
from lineage_core.pages.rows import every
from lineage_core.pages.run_rows import LastOfJob
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row
from lineage_core.reading.store import snapshot

_FAR = 1_000_000
"""Behind every number of hops: where that is not known, as the way from the start is on a page before."""


class _Hops(TypedDict):
    hops: int | None


class RunDownstream(RunName, _Hops):
    """A run of the answer. hops: how many runs lie between it and what is bad: 1 for one that read that; null where a
    page before has the way."""


class VersionDownstream(VersionName, _Hops):
    """A dataset version of the answer. hops: 0 for what the run that is asked about wrote, 1 for what a run wrote that
    read that; null where a page before has the way."""


class DatasetDownstream(_Hops):
    """hops: of the nearest of its versions. affected: the ids of these. owner: several with commas between."""

    namespace: str | None
    name: str | None
    affected: list[UUID]
    owner: str | None


class JobDownstream(DatasetDownstream, LastOfJob):
    """Likewise of its runs, and its last run."""


class Downstream(TypedDict):
    """Members that say what an answer is about.

    named_runs, named_versions: job and dataset of each id in the answer, by the id. jobs, datasets: these, the nearest
    first, each with its owner and its last run.
    """

    named_runs: dict[str, RunDownstream]
    named_versions: dict[str, VersionDownstream]
    jobs: list[JobDownstream]
    datasets: list[DatasetDownstream]


class _Written(TypedDict):
    run: UUID
    version: UUID


class _Owner(TypedDict):
    uuid: UUID
    owner: str


def downstream(store: Store, found: AffectedAnswer) -> Downstream:
    """By the runs and versions of an answer."""
    with snapshot(store) as connection:
        asked_runs = [one for one in (found.run, *found.runs) if one is not None]
        runs = {one["run"]: one for one in every(connection, RunName, "named_runs", runs=asked_runs)}
        listed = dict.fromkeys((*found.versions, *(one.version for one in found.evidence)))
        asked = [one for one in (found.version, *listed) if one is not None]
        versions = {one["version"]: one for one in every(connection, VersionName, "named_versions", versions=asked)}
        writers = every_row(connection, _Written, "answers/affected/writers", {"versions": list(versions)})
        hops = _hops(found, writers)
        jobs = _grouped([(runs[one]["job"], one) for one in found.runs if one in runs], hops)
        datasets = _grouped([(versions[one]["dataset"], one) for one in found.versions if one in versions], hops)
        owning = every(connection, _Owner, "owners_of", uuids=[*jobs, *datasets])
        last = last_of_jobs(connection, jobs)
    owners = {one["uuid"]: one["owner"] for one in owning}
    return {
        "named_runs": {str(run): {**one, "hops": hops.get(run)} for run, one in runs.items()},
        "named_versions": {str(version): {**one, "hops": hops.get(version)} for version, one in versions.items()},
        "jobs": [
            {
                "namespace": runs[own[0]]["namespace"],
                "name": runs[own[0]]["name"],
                "hops": _nearest(own, hops),
                "affected": own,
                "owner": owners.get(job),
                **last.get(job, NO_RUN),
            }
            for job, own in jobs.items()
        ],
        "datasets": [
            {
                "namespace": versions[own[0]]["namespace"],
                "name": versions[own[0]]["name"],
                "hops": _nearest(own, hops),
                "affected": own,
                "owner": owners.get(dataset),
            }
            for dataset, own in datasets.items()
        ],
    }


def _hops(found: AffectedAnswer, writers: Iterable[_Written]) -> dict[UUID, int]:
    """Of runs and versions, in the order in which they are reached: the evidence of a run stands behind that of the
    runs that wrote what it read."""
    written: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for one in writers:
        written[one["run"]].append(one["version"])
    hops: dict[UUID, int] = {} if found.version is None else {found.version: 0}
    if found.run is not None:
        hops |= dict.fromkeys(written[found.run], 0)
    for read in found.evidence:
        if (before := hops.get(read.version)) is not None:
            hops[read.run] = before + 1
            for version in written[read.run]:
                hops.setdefault(version, before + 1)
    return hops


def _grouped(ids: Iterable[tuple[UUID | None, UUID]], hops: Mapping[UUID, int]) -> dict[UUID, list[UUID]]:
    """The ids of each job or dataset, the nearest first. ids: each with its job or dataset."""
    groups: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for group, one in ids:
        if group is not None:
            groups[group].append(one)
    return dict(sorted(groups.items(), key=lambda group: min(hops.get(one, _FAR) for one in group[1])))


def _nearest(ids: Iterable[UUID], hops: Mapping[UUID, int]) -> int | None:
    return min((hops[one] for one in ids if one in hops), default=None)
