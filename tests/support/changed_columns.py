"""Random graphs of jobs and datasets as raw events, and whom a dropped column reaches in them, by a plain reading.

The model takes the edges that hold from `graphs_by_hand`, which knows raw events alone. It judges every consumer anew
in every hop, by what the hops before have come to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from uuid import UUID

from lineage_core.testing import TIME, Document, dataset, dataset_event, facet, job_event, named_job, run_event
from tests.support.graphs_by_hand import Held

COLUMNS = ("a", "b", "c", "c.d")
"""The last is a column of that name, and not one within the third."""
MADE = (*COLUMNS, "a.x", "a.y")
TAKEN = (*MADE, "B", "A.X")
"""Some write other capitals than the schema has."""
JOBS, DATASETS, ALIASES = 6, 5, 2

Path = tuple[str, ...]
Consumed = tuple[UUID, UUID | None]


def path(column: str) -> Path:
    return (column,) if column in COLUMNS else tuple(column.split("."))


def meet(one: Path, other: Path) -> bool:
    """No schema here has two columns that differ in capitals alone."""
    return all(mine.casefold() == theirs.casefold() for mine, theirs in zip(one, other, strict=False))


def namespace(number: int) -> str:
    return f"g{number}"


def graph(number: int) -> list[Document]:
    """The events of one graph. No other graph has its names."""
    random = Random(number)
    made = [event for job in range(JOBS) for event in _of_job(number, job, random)]
    if random.random() < 0.4:
        made.append(dataset_event(_ended(number, random)))
    made.append(_beginning(number))
    random.shuffle(made)
    minutes = sorted(random.sample(range(10_000), len(made)))
    times = ((TIME + timedelta(minutes=minute)).isoformat() for minute in minutes)
    return [event | {"eventTime": time} for event, time in zip(made, times, strict=True)]


def _beginning(number: int) -> Document:
    """It gives every dataset its columns, and decides nothing."""
    every = [_described(number, place) for place in range(DATASETS + ALIASES)]
    id_ = f"0190a0a0-{number:04}-7000-8000-{JOBS:012}"
    return run_event("START", run_id=id_, job=named_job("look", namespace(number)), inputs=every)


def _described(number: int, place: int) -> Document:
    return dataset(f"d{place}", namespace(number), fields=[(name, "INT") for name in COLUMNS])


def _of_job(number: int, job: int, random: Random) -> Iterator[Document]:
    """Some versions of one job. A FAIL decides nothing."""
    for version in range(random.choice((1, 1, 2))):
        inputs = [_mentioned(number, random) for _ in range(random.choice((0, 1, 1, 2)))]
        outputs = [_mentioned(number, random) for _ in range(random.choice((0, 1, 1, 2)))]
        named = named_job(f"job {job}", namespace(number))
        if random.random() < 0.1:
            yield job_event(named, inputs=inputs, outputs=outputs)
            continue
        for one in outputs:
            if random.random() < 0.85:
                one["facets"]["columnLineage"] = _lineage(number, inputs, random)
        type_ = random.choice(("COMPLETE",) * 5 + ("FAIL",))
        id_ = f"0190a0a0-{number:04}-7000-8000-{job:06}{version:06}"
        yield run_event(type_, run_id=id_, job=named, inputs=inputs, outputs=outputs)


def _mentioned(number: int, random: Random) -> Document:
    described = _described(number, random.randrange(DATASETS))
    if random.random() < 0.15:
        alias = f"d{DATASETS + random.randrange(ALIASES)}"
        links = [{"namespace": namespace(number), "name": alias, "type": "TABLE"}]
        described["facets"]["symlinks"] = facet(identifiers=links)
    elif random.random() < 0.1:
        described["name"] = f"d{DATASETS + random.randrange(ALIASES)}"
    return described


def _lineage(number: int, inputs: list[Document], random: Random) -> Document:
    """Mostly of columns of the inputs, else of any dataset, which the event need not name."""
    fields = {}
    for column in random.sample(MADE, random.choice((1, 3, 5))):
        sources = [_source(number, inputs, random) for _ in range(random.choice((1, 2)))]
        fields[column] = {"inputFields": sources}
    return facet(fields=fields)


def _source(number: int, inputs: list[Document], random: Random) -> Document:
    named = random.choice(inputs)["name"] if inputs and random.random() < 0.9 else f"d{random.randrange(DATASETS)}"
    return {"namespace": namespace(number), "name": named, "field": random.choice(TAKEN)}


def _ended(number: int, random: Random) -> Document:
    """A dataset that is dropped, or that was another before."""
    name, other = (f"d{place}" for place in random.sample(range(DATASETS), 2))
    state = facet(lifecycleStateChange="DROP")
    if random.random() < 0.5:
        previous = {"namespace": namespace(number), "name": other}
        state = facet(lifecycleStateChange="RENAME", previousIdentifier=previous)
    return dataset(name, namespace(number), facets={"lifecycleStateChange": state})


@dataclass
class Reading:
    """The edges that hold now: who reads and makes what, and which column of what is made of which."""

    reads: dict[UUID, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    makes: dict[UUID, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    pairs: set[tuple[UUID, UUID, str, UUID, str]] = field(default_factory=set)
    """Job, dataset that it reads and a column of it, dataset that it makes and a column of that."""
    declared: set[tuple[UUID, UUID]] = field(default_factory=set)
    """Reads that an event names among its inputs."""

    @classmethod
    def of(cls, edges: Iterable[Held]) -> Reading:
        found = cls()
        for kind, job, (from_, column), (to, made) in edges:
            if kind == "writes":
                found.makes[job].add(to)
            else:
                found.reads[job].add(from_)
            if kind == "reads":
                found.declared.add((job, from_))
            if kind == "derives":
                found.pairs.add((job, from_, column, to, made))
        return found

    def tells(self, job: UUID, read: UUID, made: UUID | None) -> bool:
        """Whether the job states of one dataset that it makes which columns of another go into it."""
        return any((owner, of, to) == (job, read, made) for owner, of, _, to, _ in self.pairs)


@dataclass(frozen=True)
class ExpectedConsumer:
    verdict: str
    columns: tuple[str, ...]
    hops: int


@dataclass
class _Affected:
    columns: dict[UUID, set[Path]]
    unknown: set[UUID] = field(default_factory=set)

    def has(self, one: UUID) -> bool:
        return one in self.unknown or bool(self.columns.get(one))

    @property
    def size(self) -> int:
        return len(self.unknown) + sum(map(len, self.columns.values()))


def expected(
    reading: Reading, root: UUID, dropped: Collection[str], depth: int | None = None
) -> dict[Consumed, ExpectedConsumer]:
    affected = _Affected({root: {path(column) for column in dropped}})
    found: dict[Consumed, ExpectedConsumer] = {}
    for hop in range(1, (depth or 1000) + 1):
        size = affected.size
        following = _Affected({one: {*paths} for one, paths in affected.columns.items()}, {*affected.unknown})
        for job, reads in reading.reads.items():
            touched = {one for one in reads if affected.has(one)}
            for consumed in _consumed(reading, job) if touched else ():
                first = found[consumed].hops if consumed in found else hop
                found[consumed] = _judged(reading, affected, job, touched, consumed[1], first)
                _spread(reading, affected, following, job, touched, consumed[1])
        affected = following
        if affected.size == size:
            break
    return found


def _consumed(reading: Reading, job: UUID) -> list[Consumed]:
    makes: list[Consumed] = [(job, made) for made in reading.makes[job]]
    return makes or [(job, None)]


def _judged(
    reading: Reading, affected: _Affected, job: UUID, touched: set[UUID], made: UUID | None, hops: int
) -> ExpectedConsumer:
    broken = _broken(reading, affected, job, touched, made)
    if broken:
        return ExpectedConsumer("broken", tuple(sorted(broken)), hops)
    if any(_is_unknown(reading, affected, job, one, made) for one in touched):
        return ExpectedConsumer("unknown", (), hops)
    return ExpectedConsumer("safe", (), hops)


def _spread(
    reading: Reading, affected: _Affected, following: _Affected, job: UUID, touched: set[UUID], made: UUID | None
) -> None:
    if made is None:
        return
    broken = _broken(reading, affected, job, touched, made)
    following.columns.setdefault(made, set()).update(map(path, broken))
    if any(_is_unknown(reading, affected, job, one, made) for one in touched):
        following.unknown.add(made)


def _broken(reading: Reading, affected: _Affected, job: UUID, touched: set[UUID], made: UUID | None) -> set[str]:
    return {
        column
        for owner, read, taken, to, column in reading.pairs
        if (owner, to) == (job, made) and read in touched
        if any(meet(path(taken), one) for one in affected.columns.get(read, ()))
    }


def _is_unknown(reading: Reading, affected: _Affected, job: UUID, read: UUID, made: UUID | None) -> bool:
    return read in affected.unknown or not reading.tells(job, read, made)
