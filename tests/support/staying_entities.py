"""Which jobs and datasets stay when retention is applied, and which runs for it: worked out not as the product does it.

The largest set that may go is looked for: all that is old, less what something needs that does not go, again and again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from lineage_core.answers.graph.orders import END, time_of
from lineage_core.postgres.store import Store
from tests.support.staying_runs import jobs_of_runs, staying_runs
from tests.support.stores import rows


@dataclass(frozen=True)
class Staying:
    """What is left, by uuid."""

    runs: frozenset[UUID]
    jobs: frozenset[UUID]
    datasets: frozenset[UUID]


def staying(store: Store, before: datetime, keep_last: int, entities_before: datetime | None) -> Staying:
    """`before`, `keep_last`: of runs; `entities_before`: of jobs and datasets, None if they never go."""
    jobs, datasets = _updated(store, "jobs"), _updated(store, "datasets")
    old_jobs, old_datasets = (
        {uuid for uuid, time in found.items() if entities_before is not None and time < entities_before}
        for found in (jobs, datasets)
    )
    while True:
        runs = staying_runs(store, before, keep_last, old_jobs, old_datasets)
        jobs_needed = _jobs_of(store, runs) | _parents(store, set(jobs) - old_jobs)
        versions = _staying_job_versions(store, before, runs, set(jobs) - old_jobs)
        datasets_needed = _named(store, runs, versions) | _read_or_written(store, before, set(jobs) - old_jobs)
        if not (jobs_needed & old_jobs or datasets_needed & old_datasets):
            break
        old_jobs, old_datasets = old_jobs - jobs_needed, old_datasets - datasets_needed
    return Staying(frozenset(runs), frozenset(jobs) - old_jobs, frozenset(datasets) - old_datasets)


def _updated(store: Store, table: str) -> dict[UUID, datetime]:
    return dict(rows(store, f"SELECT uuid, updated_at FROM {table}"))


def _jobs_of(store: Store, runs: set[UUID]) -> set[UUID]:
    return {job for run, jobs in jobs_of_runs(store).items() if run in runs for job in jobs}


def _parents(store: Store, jobs: set[UUID]) -> set[UUID]:
    return {parent for job, parent in rows(store, "SELECT uuid, parent_job_uuid FROM jobs") if job in jobs and parent}


def _staying_job_versions(store: Store, before: datetime, runs: set[UUID], jobs: set[UUID]) -> set[UUID]:
    """Young ones, those that a run has made that stays, and the last two of each job that stays."""
    found = {uuid for uuid, updated in rows(store, "SELECT uuid, updated_at FROM job_versions") if updated >= before}
    last: defaultdict[UUID, dict[UUID, bytes]] = defaultdict(dict)
    moments = "SELECT job_uuid, job_version_uuid, run_uuid, event_order, is_purged FROM event_ledger"
    for job, version, run, order, is_purged in rows(store, f"{moments} WHERE job_version_uuid IS NOT NULL"):
        last[job][version] = max(order, last[job].get(version, b""))
        if run in runs and not is_purged:
            found.add(version)
    for job in jobs:
        found |= set(sorted(last[job], key=lambda version: last[job][version])[-2:])
    return found


def _named(store: Store, runs: set[UUID], job_versions: set[UUID]) -> set[UUID]:
    """The datasets that they have read or written."""
    mentions = rows(store, "SELECT run_uuid, dataset_uuid FROM dataset_mentions WHERE NOT is_purged")
    named = rows(store, "SELECT job_version_uuid, dataset_uuid FROM job_versions_io_mapping")
    of_runs = {dataset for run, dataset in mentions if run in runs}
    return of_runs | {dataset for version, dataset in named if version in job_versions}


def _read_or_written(store: Store, before: datetime, jobs: set[UUID]) -> set[UUID]:
    """The datasets to which these jobs have edges that did not end before the cutoff."""
    edges = (
        "SELECT job_uuid, coalesce(known.uuid, name_uuid), until_event FROM job_edges"
        " LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name_uuid"
    )
    return {
        dataset
        for job, dataset, until in rows(store, edges)
        if job in jobs and (until == END or time_of(until) >= before)
    }
