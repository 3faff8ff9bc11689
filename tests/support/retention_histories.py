"""Histories of jobs over many hours, for the laws of retention: runs that end or stay open, parents, versions.

Most jobs and datasets are there all the time, so that much happens to each; some are there for a few hours only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

from lineage_core.retention.policies import Policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, dataset, dataset_event, facet, job_event, named_job, parent, run_event

Document = dict[str, Any]

HOUR = timedelta(hours=1)
NAMESPACE = "postgres://shop:5432"
_SCHEMAS: tuple[Any, ...] = (None, [("a", "INT")], [("a", "INT"), ("b", "TEXT")], [("a", "INT"), ("c", None)])
_TABLES = ("orders", "sums", "report")
_JOBS = ("load", "sum")
_ENDINGS = (*["COMPLETE"] * 8, "FAIL", "ABORT", None)


@dataclass(frozen=True)
class RetentionHistory:
    """What happened; what arrives only after the first purge; the policies, and the time from which ages count."""

    events: tuple[Document, ...]
    late: tuple[Document, ...]
    policies: tuple[Policy, ...]
    before: datetime
    as_of: datetime

    @property
    def entities_before(self) -> datetime | None:
        """Since when nothing was heard of the jobs and datasets that go: they go with their runs and versions."""
        ages = {policy.kind: policy.older_than for policy in self.policies}
        if ages[PolicyKind.ENTITIES] is None:
            return None
        return min(self.as_of - age for age in ages.values() if age is not None)


def history(random: Random) -> RetentionHistory:
    """Of 14 to 30 runs, an hour apart. What is late happened at the cutoff or behind it."""
    hours = random.randint(14, 30)
    events = [event for hour in range(hours) for event in _hour(random, hour)]
    before = TIME + random.randint(hours // 2, hours - 1) * HOUR
    behind = [event for event in events if datetime.fromisoformat(event["eventTime"]) >= before]
    late = tuple(event for event in behind if random.random() < 0.6)
    on_time = [event for event in events if event not in late]
    random.shuffle(on_time)
    as_of = before + timedelta(days=1)
    return RetentionHistory(tuple(on_time), late, tuple(_policies(random)), before, as_of)


def _policies(random: Random) -> Iterator[Policy]:
    day = timedelta(days=1)
    yield Policy(PolicyKind.RUNS, "*", day, random.choice((None, None, 0, 1)))
    yield Policy(PolicyKind.VERSIONS, "*", random.choice((day, 2 * day)), random.choice((None, None, 0, 1)))
    yield Policy(PolicyKind.CONTENTS, "*", day, None)
    yield Policy(PolicyKind.ENTITIES, "*", day if random.random() < 0.6 else None, None)


def _hour(random: Random, hour: int) -> Iterator[Document]:
    time = TIME + hour * HOUR
    yield from _run(random, hour, time)
    if random.random() < 0.2:
        yield dataset_event(_dataset(random, hour), time=time + random.randint(1, 30) * timedelta(minutes=1))
    if random.random() < 0.15:
        inputs, outputs = _read(random, hour), _written(random, hour)
        yield job_event(_job(random, hour), time=time + timedelta(minutes=40), inputs=inputs, outputs=outputs)


def _run(random: Random, hour: int, time: datetime) -> Iterator[Document]:
    run = f"0190a0a0-0000-7000-8000-{hour:012}"
    job = _job(random, hour)
    facets = _parent(random, hour)
    inputs, outputs = _read(random, hour), _written(random, hour)
    yield run_event(
        random.choice(("START", "START", "OTHER")), run_id=run, job=job, time=time, inputs=inputs, facets=facets
    )
    while random.random() < 0.3:
        time += timedelta(minutes=random.randint(1, 90))
        yield run_event(
            "RUNNING", run_id=run, job=job, time=time, inputs=_read(random, hour), outputs=outputs, facets=facets
        )
    ending = random.choice(_ENDINGS)
    if ending:
        time += timedelta(minutes=random.choice((5, 10, 200, 600)))
        yield run_event(ending, run_id=run, job=job, time=time, inputs=inputs, outputs=outputs, facets=facets)


def _parent(random: Random, hour: int) -> dict[str, Document]:
    """None, a run that never reports, or one of an earlier hour; the job it is reported to be may not be its own."""
    kind = random.random()
    if kind < 0.5:
        return {"note": facet(hour=hour % 3)}
    if kind < 0.92:
        return parent(f"0190a0a0-1111-7000-8000-{hour // 2:012}", random.choice(("dag", "dag", f"dag{hour // 6}")))
    earlier = max(0, hour - random.randint(1, 3))
    return parent(f"0190a0a0-0000-7000-8000-{earlier:012}", random.choice(_JOBS))


def _job(random: Random, hour: int) -> Document:
    facets = {"jobType": facet(processingType="STREAMING", integration="FLINK")} if random.random() < 0.15 else {}
    if random.random() < 0.2:
        facets["sourceCodeLocation"] = facet(type="git", url=f"https://code.example/{random.randint(1, 2)}")
    return named_job(_of_the_time(random, "job", hour) or random.choice(_JOBS), facets=facets)


def _read(random: Random, hour: int) -> list[Document]:
    return [_dataset(random, hour) for _ in range(random.choice((0, 0, 0, 1, 2)))]


def _written(random: Random, hour: int) -> list[Document]:
    return [_dataset(random, hour, lineage=True) for _ in range(random.choice((0, 1, 1, 1, 2)))]


def _dataset(random: Random, hour: int, *, lineage: bool = False) -> Document:
    facets: dict[str, Document] = {}
    if lineage and random.random() < 0.5:
        source = {"namespace": NAMESPACE, "name": random.choice(_TABLES), "field": "a"}
        facets["columnLineage"] = facet(fields={"a": {"inputFields": [source]}})
    if random.random() < 0.2:
        facets["documentation"] = facet(description=f"text {random.randint(1, 3)}")
    name = _of_the_time(random, "table", hour) or random.choice(_TABLES)
    return dataset(name, NAMESPACE, fields=random.choice(_SCHEMAS), facets=facets or None)


def _of_the_time(random: Random, word: str, hour: int) -> str | None:
    """Now and then a thing that is there for four hours only."""
    return f"{word}{hour // 4}" if random.random() < 0.2 else None
