"""Which runs stay when retention is applied: worked out from what the tables say, and not as the product does it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from lineage_core.postgres.store import Store
from tests.support.stores import rows


def staying_runs(
    store: Store, before: datetime, keep_last: int, old_jobs: set[UUID], old_datasets: set[UUID]
) -> set[UUID]:
    """Those that are not older, and of the older ones those that something protects; with all that these name. What
    goes of jobs and datasets protects none."""
    found = rows(store, "SELECT uuid, job_uuid, created_at, updated_at, first_event, end_event FROM runs")
    reported = {uuid for uuid, _, _, _, first, _ in found if first is not None}
    staying = {uuid for uuid, _, _, updated, _, _ in found if updated >= before}
    staying |= {uuid for uuid, _, _, _, _, ended in found if uuid in reported and ended is None}
    of_jobs = jobs_of_runs(store)
    for_their_jobs = set(_last_of_states(store, reported, of_jobs))
    for_their_jobs |= set(
        _last_of_jobs(
            [(job, made, uuid) for uuid, _, made, *_ in found if uuid in reported for job in of_jobs[uuid]], keep_last
        )
    )
    for_their_jobs |= set(rows(store, "SELECT uuid, current_run_uuid FROM jobs WHERE current_run_uuid IS NOT NULL"))
    staying |= {uuid for job, uuid in for_their_jobs if job not in old_jobs}
    current = (
        "SELECT run_uuid, dataset_uuid FROM dataset_versions WHERE uuid IN (SELECT current_version_uuid FROM datasets)"
    )
    staying |= {uuid for uuid, dataset in rows(store, current) if uuid is not None and dataset not in old_datasets}
    known = {uuid for uuid, *_ in found}
    return staying & known | _named_by(store, staying & known) & known


def jobs_of_runs(store: Store) -> dict[UUID, set[UUID]]:
    """The jobs that each run was ever reported to be of."""
    found: defaultdict[UUID, set[UUID]] = defaultdict(set)
    events = "SELECT run_uuid, job_uuid FROM event_ledger WHERE run_uuid IS NOT NULL AND NOT is_purged"
    for run, job in (*rows(store, "SELECT uuid, job_uuid FROM runs"), *rows(store, events)):
        found[run].add(job)
    return found


def _last_of_states(store: Store, reported: set[UUID], of_jobs: dict[UUID, set[UUID]]) -> Iterator[tuple[UUID, UUID]]:
    """The last run of each job that has ever been in a state, with the job."""
    states: defaultdict[tuple[UUID, str], list[tuple[float, int, UUID]]] = defaultdict(list)
    for state, time, run in rows(store, "SELECT state, transitioned_at, run_uuid FROM run_states"):
        for job in of_jobs[run] if run in reported else ():
            states[job, state].append((time.timestamp(), -run.int, run))
    return ((job, max(entries)[-1]) for (job, _), entries in states.items())


def _last_of_jobs(found: list[tuple[UUID, datetime, UUID]], keep_last: int) -> Iterator[tuple[UUID, UUID]]:
    jobs: defaultdict[UUID, list[tuple[float, int, UUID]]] = defaultdict(list)
    for job, made, run in found:
        jobs[job].append((-made.timestamp(), run.int, run))
    return ((job, run) for job, entries in jobs.items() for _, _, run in sorted(entries)[:keep_last])


def _named_by(store: Store, staying: set[UUID]) -> set[UUID]:
    """The parents that they name, the runs that stand for these, and those that stand for the parents of these."""
    parents: defaultdict[UUID, set[UUID]] = defaultdict(set)
    standing: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for child, parent in rows(store, "SELECT uuid, parent_run_uuid FROM runs WHERE parent_run_uuid IS NOT NULL"):
        parents[child].add(parent)
    named = "SELECT run_uuid, parent_run_uuid, made_run_uuid FROM parent_mentions WHERE NOT is_purged"
    for child, parent, made in rows(store, named):
        parents[child].add(parent)
        standing[child] |= {made} - {None}
    reached = {uuid for child in staying for uuid in parents[child] | standing[child]}
    return reached | {uuid for child in reached for uuid in standing[child]}
