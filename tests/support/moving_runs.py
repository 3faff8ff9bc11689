"""Histories in which runs, versions and names move: beside those of `retention_histories`, for the laws of retention.

A run is of the job that its first event names, so one that comes late moves it. A name belongs to the dataset that had
it first, so a symlink that comes late moves what was stated under it. Runs start each other in a chain. Columns outlive
the schemas that have them.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

from lineage_core.retention.policies import Policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, dataset, dataset_event, facet, named_job, parent, run_event
from tests.support.retention_histories import HOUR, NAMESPACE, Document, RetentionHistory, history

_JOBS = ("load", "sum", "move")
_TABLES = ("orders", "sums", "report")


def chain_of_runs(random: Random) -> RetentionHistory:
    """Most runs name the one of the hour before as their parent, as a DAG that triggers itself does."""
    example = _copied(random)
    for before, run in pairwise(_runs(example)):
        if random.random() < 0.8:
            named = parent(before[0]["run"]["runId"], before[0]["job"]["name"])
            for event in run:
                event["run"]["facets"] = {**event["run"].get("facets", {}), **named}
    return example


def runs_that_move(random: Random) -> RetentionHistory:
    """The first event of many runs names another job, and comes late where it may."""
    example = _copied(random)
    late = list(example.late)
    for first, *others in _runs(example):
        if others and random.random() < 0.6:
            first["job"] = named_job(random.choice(_JOBS))
            if datetime.fromisoformat(first["eventTime"]) >= example.before and first not in late:
                late.append(first)
    on_time = tuple(event for event in example.events if event not in late)
    return replace(example, events=on_time, late=tuple(late))


def names_that_move(random: Random) -> RetentionHistory:
    """An event that comes late says that a dataset has the name of another."""
    example = _copied(random)
    name, other = random.sample(_TABLES, 2)
    identifiers = [{"namespace": NAMESPACE, "name": other, "type": "TABLE"}]
    symlinks: dict[str, Any] = {"symlinks": facet(identifiers=identifiers)}
    time = example.before + random.randint(1, 90) * timedelta(minutes=1)
    renamed = dataset_event(dataset(name, NAMESPACE, facets=symlinks), time=time)
    return replace(example, late=(*example.late, renamed))


def schemas_that_go(random: Random) -> RetentionHistory:
    """A column is described anew by a dataset event, which goes with its version before the horizon. The version of a
    run stays that has the column, too, and what comes late may describe it again.
    """
    example = _copied(random)
    early = (
        _written(TIME, "plans", [_described(random)]),
        dataset_event(_described(random), time=TIME + HOUR),
        _written(TIME + 2 * HOUR, "draws", [dataset("plan", NAMESPACE)]),
    )
    late = (
        dataset_event(_described(random), time=example.before + hours * HOUR) for hours in range(random.randint(0, 2))
    )
    versions = Policy(PolicyKind.VERSIONS, "*", example.as_of - example.before, None)
    policies = tuple(versions if policy.kind is versions.kind else policy for policy in example.policies)
    return replace(example, events=(*example.events, *early), late=(*example.late, *late), policies=policies)


def _written(time: datetime, job: str, outputs: list[Document]) -> Document:
    return run_event("COMPLETE", run_id=job, job=named_job(job), time=time, outputs=outputs)


def _described(random: Random) -> Document:
    fields: list[Any] = [{"name": "a", "type": "INT", "description": f"text {random.randint(1, 3)}"}]
    return dataset("plan", NAMESPACE, facets={"schema": facet(fields=fields)})


def _copied(random: Random) -> RetentionHistory:
    """Events share facets, which are changed here."""
    example = history(random)
    return replace(example, events=tuple(map(deepcopy, example.events)), late=tuple(map(deepcopy, example.late)))


def _runs(example: RetentionHistory) -> list[list[Document]]:
    """The events of each run, the first run and the first event first."""
    runs: dict[str, list[Document]] = {}
    for event in sorted((*example.events, *example.late), key=lambda event: str(event["eventTime"])):
        if "run" in event:
            runs.setdefault(event["run"]["runId"], []).append(event)
    return list(runs.values())
