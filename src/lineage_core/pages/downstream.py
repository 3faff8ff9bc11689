"""What stands on something bad, by name: the jobs and datasets of the runs and versions that an answer lists by ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from lineage_core.answers.affected.answer import AffectedAnswer
from lineage_core.pages.rows import every
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row
from lineage_core.reading.store import snapshot

_FAR = 1_000_000
"""Behind every number of hops: where that is not known, as the way from the start is on a page before."""


def downstream(store: Store, found: AffectedAnswer) -> dict[str, Any]:
    """Members that say what an answer is about.

    named_runs, named_versions: job and dataset of each id in the answer, by the id as text. `hops` is how many runs
    lie between it and what is bad: 0 for what the run that is asked about wrote, 1 for a run that read that, and for
    what this wrote; None where a page before has the way. jobs, datasets: these, the nearest first, each with its
    owner and its last run.
    """
    with snapshot(store) as connection:
        runs = _by_id(connection, "named_runs", "run", [one for one in (found.run, *found.runs) if one is not None])
        listed = dict.fromkeys((*found.versions, *(one.version for one in found.evidence)))
        asked = [one for one in (found.version, *listed) if one is not None]
        versions = _by_id(connection, "named_versions", "version", asked)
        writers: list[dict[str, Any]] = every_row(
            connection, dict, "answers/affected/writers", {"versions": list(versions)}
        )
        hops = _hops(found, writers)
        jobs = _grouped([one for one in found.runs if one in runs], runs, "job", hops)
        datasets = _grouped([one for one in found.versions if one in versions], versions, "dataset", hops)
        owners = _by_id(connection, "owners_of", "uuid", [*jobs, *datasets])
        last = _by_id(connection, "last_runs_of_jobs", "job", jobs)
    return {
        "named_runs": {str(run): one | {"hops": hops.get(run)} for run, one in runs.items()},
        "named_versions": {str(version): one | {"hops": hops.get(version)} for version, one in versions.items()},
        "jobs": [
            one
            | {"owner": owners.get(job, {}).get("owner")}
            | {part: last.get(job, {}).get(part) for part in ("run", "state", "last_at")}
            for job, one in jobs.items()
        ],
        "datasets": [one | {"owner": owners.get(uuid, {}).get("owner")} for uuid, one in datasets.items()],
    }


def _by_id(connection: Connection, statement: str, key: str, ids: Iterable[UUID]) -> dict[UUID, dict[str, Any]]:
    """key: the column with the id. The parameter has its name, and an s."""
    return {row[key]: row for row in every(connection, statement, **{f"{key}s": list(ids)})}


def _hops(found: AffectedAnswer, writers: Iterable[Mapping[str, Any]]) -> dict[UUID, int]:
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


def _grouped(
    ids: Iterable[UUID], named: Mapping[UUID, Mapping[str, Any]], by: str, hops: Mapping[UUID, int]
) -> dict[UUID, dict[str, Any]]:
    """By the job or dataset, the nearest first: its name, how near its first is, and its own of the ids."""
    groups: defaultdict[UUID, list[UUID]] = defaultdict(list)
    for one in ids:
        if (group := named[one][by]) is not None:
            groups[group].append(one)
    rows = {
        group: {
            "namespace": named[own[0]]["namespace"],
            "name": named[own[0]]["name"],
            "hops": min((hops[one] for one in own if one in hops), default=None),
            "affected": own,
        }
        for group, own in groups.items()
    }
    return dict(sorted(rows.items(), key=lambda one: _FAR if one[1]["hops"] is None else one[1]["hops"]))
