"""Random graphs of runs and datasets as raw events, and what is affected in them, worked out from these events alone.

The model knows no table and no SQL of the product. It replays the events in the order of their times, and then goes
along what was read and written until nothing new comes. Only the ids of versions are the product's, of one mention
each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from uuid import UUID

from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.openlineage.events import Role
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import (
    TIME,
    Document,
    dataset,
    dataset_event,
    facet,
    job_event,
    named_job,
    parent,
    run_event,
    to_json,
)

Column = tuple[UUID, str | None, bool]
Unit = tuple[str, str, str] | UUID

SCHEMAS = ([("a", "INT"), ("b", "INT")], [("a", "INT"), ("b", "INT"), ("c", "INT")])
RUNS, DATASETS, DAG_RUNS = 7, 4, 3


@dataclass(frozen=True)
class RunKind:
    """What all events of a run have in common."""

    id: str
    job: str
    facets: Document
    is_streaming: bool


def graph(number: int) -> list[Document]:
    """The events of one graph, in the order of their times, no two of which are equal. No other graph has its names."""
    random = Random(number)
    kinds = list[RunKind]()
    for place in range(RUNS):
        kinds.append(_kind(number, place, kinds, random))
    turns = [event for kind in kinds for event in _turns(kind, random)]
    # Runs overlap, so that one may read what comes of itself.
    turns.sort(key=lambda turn: random.random() * 6 + kinds.index(turn[0]))
    made = [_event(number, *turn, random) for turn in turns]
    for one in _without_runs(number, random):
        made.insert(random.randrange(len(made)), one)
    where = sorted(random.sample(range(10_000), len(made)))
    return [event | {"eventTime": _time(minutes)} for event, minutes in zip(made, where, strict=True)]


def _time(minutes: int) -> str:
    return (TIME + timedelta(minutes=minutes)).isoformat()


def _kind(number: int, place: int, others: list[RunKind], random: Random) -> RunKind:
    """A task of Airflow, what a task has started, or neither."""
    id_ = f"0190a0a0-{number:04}-7000-8000-{place:012}"
    streams = random.random() < 0.3
    job = f"{'stream' if streams else 'batch'}_{place}"
    match random.choice(("task", "task", "started", "outside")):
        case "task":
            return RunKind(id_, job, _of_dag_run(number, random.randrange(DAG_RUNS)), streams)
        case "started" if place:
            other = random.choice(others)
            return RunKind(id_, f"{other.job}.{job}", parent(other.id, other.job, f"g{number}"), streams)
        case _:
            return RunKind(id_, job, {}, streams)


def _of_dag_run(number: int, dag_run: int) -> Document:
    named = {"dag": {"dag_id": f"dag_{dag_run % 2}"}, "dagRun": {"run_id": f"manual__{number}_{dag_run}"}}
    return {"airflow": facet(**named, task={}, taskInstance={}, taskUuid="")}


def _turns(kind: RunKind, random: Random) -> list[tuple[RunKind, str]]:
    end = random.choice(("COMPLETE", "COMPLETE", "COMPLETE", "FAIL", "RUNNING"))
    more = random.choice(([], [], ["RUNNING"], ["COMPLETE"]))
    return [(kind, type_) for type_ in ("START", end, *more)]


def _event(number: int, kind: RunKind, type_: str, random: Random) -> Document:
    streaming = {"jobType": facet(processingType="STREAMING", integration="FLINK")}
    inputs = [_named(number, random) for _ in range(random.choice((0, 1, 1, 2)))]
    outputs = [_named(number, random) for _ in range(random.choice((0, 1, 1, 2)))]
    for one in outputs:
        if random.random() < 0.6:
            one["facets"]["columnLineage"] = _made_of(number, inputs, random)
    return run_event(
        type_,
        run_id=kind.id,
        job=named_job(kind.job, f"g{number}", facets=streaming if kind.is_streaming else None),
        inputs=inputs,
        outputs=outputs,
        facets=kind.facets,
    )


def _named(number: int, random: Random) -> Document:
    links = [{"namespace": f"g{number}", "name": f"d{random.randrange(DATASETS + 2)}", "type": "TABLE"}]
    symlinks = {"symlinks": facet(identifiers=links)} if random.random() < 0.1 else {}
    name = f"d{random.randrange(DATASETS + (random.random() < 0.2) * 2)}"
    return dataset(name, f"g{number}", fields=random.choice(SCHEMAS), facets=symlinks)


def _made_of(number: int, inputs: list[Document], random: Random) -> Document:
    """Of every dataset that the run may have read, or of an input of the event mostly, else of any dataset."""
    fields = {}
    is_of_all = random.random() < 0.5
    for column in random.sample(("a", "b"), random.choice((1, 2))):
        any_ = random.choice(inputs)["name"] if inputs else f"d{random.randrange(DATASETS)}"
        sources = [f"d{place}" for place in range(DATASETS + 2)] if is_of_all else [any_]
        fields[column] = {
            "inputFields": [
                {"namespace": f"g{number}", "name": source, "field": random.choice("ab")} for source in sources
            ]
        }
    return facet(fields=fields)


def _without_runs(number: int, random: Random) -> list[Document]:
    declared = dataset_event(_named(number, random))
    job = job_event(
        named_job("planned", f"g{number}"), inputs=[_named(number, random)], outputs=[_named(number, random)]
    )
    return [one for one in (declared, job) if random.random() < 0.5]


@dataclass
class WhatHappened:
    """What events come to: who read and wrote what, which columns come from which, and what Airflow calls the runs."""

    runs: set[UUID] = field(default_factory=set)
    reads: set[tuple[UUID, UUID]] = field(default_factory=set)
    writes: set[tuple[UUID, UUID]] = field(default_factory=set)
    versions: set[UUID] = field(default_factory=set)
    first_reads: set[UUID] = field(default_factory=set)
    current: set[UUID] = field(default_factory=set)
    pairs: dict[UUID, set[tuple[UUID, str, str]]] = field(default_factory=lambda: defaultdict(set))
    dag_runs: dict[UUID, tuple[str, str, str]] = field(default_factory=dict)
    parents: dict[UUID, UUID] = field(default_factory=dict)
    linked: set[UUID] = field(default_factory=set)
    """Versions that were read or written by another name of their dataset."""
    failed: set[UUID] = field(default_factory=set)
    streaming: set[UUID] = field(default_factory=set)


class Replay:
    """Replays events in the order of their times."""

    def __init__(self, events: list[Document]) -> None:
        self.happened = WhatHappened()
        self._roots: dict[str, str] = {}
        self._now: dict[str, UUID] = {}
        self._written: dict[UUID, dict[str, UUID]] = defaultdict(dict)
        self._read_of: dict[UUID, list[tuple[str, UUID]]] = defaultdict(list)
        self._stated: list[tuple[UUID, str, Document, list[tuple[str, UUID]]]] = []
        for event in sorted(events, key=lambda one: str(one["eventTime"])):
            self._take(event)
        self._resolve_columns()

    def _take(self, event: Document) -> None:
        named = parse(to_json(event)).datasets
        versions = [UUID(bytes=described(one).version(parse(to_json(event)))) for one in named]
        roots = [self._root(one) for one in self._documents(event)]
        run = UUID(event["run"]["runId"]) if "run" in event else None
        mentions = [(one.role, root, version) for one, root, version in zip(named, roots, versions, strict=True)]
        names = [one["name"] for one in self._documents(event)]
        self.happened.linked |= {
            version for (_, root, version), name in zip(mentions, names, strict=True) if root != name
        }
        if run is None:
            self._take_without_run(event, mentions)
            return
        self._take_run(event, run)
        for role, root, version in mentions:
            if role is Role.INPUT:
                self._read(run, root, version)
        for place, (role, root, version) in enumerate(mentions):
            if role is not Role.INPUT:
                self._write(run, root, version)
                self._state_columns(run, version, self._documents(event)[place])
        self._make_current(event, run, mentions)

    @staticmethod
    def _documents(event: Document) -> list[Document]:
        return [
            *event.get("inputs", ()),
            *event.get("outputs", ()),
            *([event["dataset"]] if "dataset" in event else ()),
        ]

    def _root(self, document: Document) -> str:
        """Whoever had a name first has it."""
        root = self._roots.setdefault(document["name"], document["name"])
        for link in document.get("facets", {}).get("symlinks", {}).get("identifiers", ()):
            self._roots.setdefault(link["name"], root)
        return root

    def _take_without_run(self, event: Document, mentions: list[tuple[Role, str, UUID]]) -> None:
        for role, root, version in mentions:
            if role is not Role.INPUT or root not in self._now:
                self.happened.versions.add(version)
                if "dataset" in event:
                    self._now[root] = version
                    self.happened.current.add(version)

    def _take_run(self, event: Document, run: UUID) -> None:
        self.happened.runs.add(run)
        if event["eventType"] == "FAIL":
            self.happened.failed.add(run)
        facets = event["run"].get("facets", {})
        if "airflow" in facets:
            named = facets["airflow"]
            self.happened.dag_runs[run] = (event["job"]["namespace"], named["dag"]["dag_id"], named["dagRun"]["run_id"])
        if "parent" in facets:
            self.happened.parents[run] = UUID(facets["parent"]["run"]["runId"])

    def _read(self, run: UUID, root: str, version: UUID) -> None:
        if root not in self._now:
            self._now[root] = version
            self.happened.versions.add(version)
            self.happened.first_reads.add(version)
        self.happened.reads.add((run, self._now[root]))
        self._read_of[run].append((root, self._now[root]))

    def _write(self, run: UUID, root: str, version: UUID) -> None:
        self.happened.writes.add((run, version))
        self.happened.versions.add(version)
        self._written[run][root] = version

    def _state_columns(self, run: UUID, version: UUID, document: Document) -> None:
        for column, made_of in document.get("facets", {}).get("columnLineage", {}).get("fields", {}).items():
            for source in made_of["inputFields"]:
                self._stated.append((version, column, source, list(self._read_of[run])))

    def _resolve_columns(self) -> None:
        """Whose a name is may follow from a later event."""
        for version, column, source, reads in self._stated:
            for root, read in reads:
                if self._roots.get(source["name"]) == root:
                    self.happened.pairs[version].add((read, source["field"], column))

    def _make_current(self, event: Document, run: UUID, mentions: list[tuple[Role, str, UUID]]) -> None:
        if "jobType" in event["job"].get("facets", {}):
            self.happened.streaming.add(run)
            for role, root, version in mentions:
                if role is not Role.INPUT:
                    self._now[root] = version
                    self.happened.current.add(version)
        if event["eventType"] == "COMPLETE":
            self._now |= self._written[run]
            self.happened.current |= {*self._written[run].values()}


@dataclass(frozen=True)
class Expected:
    """What a question comes to: sets, as only the reruns have an order. `fed`: which rerun feeds which other one."""

    runs: frozenset[UUID]
    versions: frozenset[UUID]
    columns: frozenset[Column]
    reruns: frozenset[tuple[str, str, str]]
    others: frozenset[UUID]
    fed: frozenset[tuple[Unit, Unit]]
    is_in_a_circle: bool


def expected(happened: WhatHappened, *, run: UUID | None = None, version: UUID | None = None) -> Expected:
    """What is affected, by going over all reads and writes until nothing is new."""
    start = {version} if version else {made for writer, made in happened.writes if writer == run}
    bad, runs = set(start), set[UUID]()
    while True:
        readers = {reader for reader, read in happened.reads if read in bad} - {run}
        made = {made for writer, made in happened.writes if writer in readers}
        if readers <= runs and made <= bad:
            break
        runs |= readers
        bad |= made
    again = runs | ({run} if run else {writer for writer, made in happened.writes if made == version})
    units = {one: _unit(happened, one) for one in again}
    fed = _fed(happened, units, bad)
    shown = bad - ({version} if version else set())
    return Expected(
        frozenset(runs),
        frozenset(shown),
        frozenset(_columns(happened, start, bad, shown)),
        frozenset(unit for unit in units.values() if isinstance(unit, tuple)),
        frozenset(unit for unit in units.values() if isinstance(unit, UUID)),
        frozenset(fed),
        run is not None and any(reader == run and read in bad for reader, read in happened.reads),
    )


def _unit(happened: WhatHappened, run: UUID) -> Unit:
    above = run
    while above not in happened.dag_runs and above in happened.parents:
        above = happened.parents[above]
    return happened.dag_runs.get(above, run)


def _fed(happened: WhatHappened, units: dict[UUID, Unit], bad: set[UUID]) -> Iterator[tuple[Unit, Unit]]:
    """DAG runs that feed others, with only runs outside of Airflow between them."""
    feeds = {
        (units[writer], units[reader])
        for writer, made in happened.writes
        for reader, read in happened.reads
        if made == read and made in bad and writer in units and reader in units
    }
    while True:
        by_way = {
            (one, last)
            for one, between in feeds
            for other, last in feeds
            if between == other and isinstance(between, UUID)
        }
        if by_way <= feeds:
            break
        feeds |= by_way
    for one, other in feeds:
        if one != other and isinstance(one, tuple) and isinstance(other, tuple):
            yield one, other


def _columns(happened: WhatHappened, start: set[UUID], bad: set[UUID], shown: set[UUID]) -> Iterator[Column]:
    silent = {made for made in bad if _read_for(happened, made, bad) - _origins(happened, made)} - start
    stated, possible = _bad_columns(happened, start, bad), _bad_columns(happened, start | silent, bad)
    for version in shown:
        if version in start | silent:
            yield version, None, version in start
        else:
            yield from ((one, column, (one, column) in stated) for one, column in possible if one == version)


def _read_for(happened: WhatHappened, made: UUID, bad: set[UUID]) -> set[UUID]:
    writers = {writer for writer, version in happened.writes if version == made}
    return {read for reader, read in happened.reads if reader in writers and read in bad and read != made}


def _origins(happened: WhatHappened, made: UUID) -> set[UUID]:
    return {origin for origin, _, _ in happened.pairs.get(made, ())}


def _bad_columns(happened: WhatHappened, whole: set[UUID], bad: set[UUID]) -> set[tuple[UUID, str]]:
    found = {(version, column) for version in whole for column in "abc"}
    while True:
        new = {
            (made, column)
            for made in bad
            for origin, of, column in happened.pairs.get(made, ())
            if (origin, of) in found and origin in bad
        }
        if new <= found:
            return found
        found |= new
