"""Which runs stay when retention is applied: worked out from what the tables say, and not as the product does it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from tests.support.stores import rows


def staying_runs(dsn: str, before: datetime, keep_last: int, old_jobs: set[UUID], old_datasets: set[UUID]) -> set[UUID]:
    """Those that are not older, and of the older ones those that something protects; with all that these name. What
    goes of jobs and datasets protects none."""
    found = rows(dsn, "SELECT uuid, job_uuid, created_at, updated_at, first_event, end_event FROM runs")
    reported = {uuid for uuid, _, _, _, first, _ in found if first is not None}
    staying = {uuid for uuid, _, _, updated, _, _ in found if updated >= before}
    staying |= {uuid for uuid, _, _, _, _, ended in found if uuid in reported and ended is None}
    of_old_jobs = {uuid for uuid, job, *_ in found if job in old_jobs}
    for_their_jobs = set(_last_of_states(dsn, reported))
    for_their_jobs |= set(
        _last_of_jobs([(job, made, uuid) for uuid, job, made, _, _, _ in found if uuid in reported], keep_last)
    )
    for_their_jobs |= {
        uuid for (uuid,) in rows(dsn, "SELECT current_run_uuid FROM jobs WHERE current_run_uuid IS NOT NULL")
    }
    staying |= for_their_jobs - of_old_jobs
    current = (
        "SELECT run_uuid, dataset_uuid FROM dataset_versions WHERE uuid IN (SELECT current_version_uuid FROM datasets)"
    )
    staying |= {uuid for uuid, dataset in rows(dsn, current) if uuid is not None and dataset not in old_datasets}
    known = {uuid for uuid, *_ in found}
    return staying & known | _named_by(dsn, staying & known) & known


def _last_of_states(dsn: str, reported: set[UUID]) -> Iterator[UUID]:
    """The last run of each job that has ever been in a state."""
    states: defaultdict[tuple[UUID, str], list[tuple[float, int, UUID]]] = defaultdict(list)
    columns = "job_uuid, state, run_states.transitioned_at, run_uuid"
    for job, state, time, run in rows(dsn, f"SELECT {columns} FROM run_states JOIN runs ON runs.uuid = run_uuid"):
        if run in reported:
            states[job, state].append((time.timestamp(), -run.int, run))
    return (max(entries)[-1] for entries in states.values())


def _last_of_jobs(found: list[tuple[UUID, datetime, UUID]], keep_last: int) -> Iterator[UUID]:
    jobs: defaultdict[UUID, list[tuple[float, int, UUID]]] = defaultdict(list)
    for job, made, run in found:
        jobs[job].append((-made.timestamp(), run.int, run))
    return (run for entries in jobs.values() for _, _, run in sorted(entries)[:keep_last])


def _named_by(dsn: str, staying: set[UUID]) -> set[UUID]:
    """The parents that they name, the runs that stand for these, and the parents of all of them."""
    parents: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for child, parent in rows(dsn, "SELECT uuid, parent_run_uuid FROM runs WHERE parent_run_uuid IS NOT NULL"):
        parents[child].add(parent)
    named = "SELECT run_uuid, parent_run_uuid, made_run_uuid FROM parent_mentions WHERE NOT is_purged"
    for child, parent, made in rows(dsn, named):
        parents[child] |= {parent, made} - {None}
    reached: set[UUID] = set()
    left = list(staying)
    while left:
        new = parents[left.pop()] - reached
        reached |= new
        left += new
    return reached
