"""The walk downstream from a dataset of which columns change: who takes them, and what becomes of these in turn.

A dataset that is reached has *affected columns*, or is *unknown*: any of its columns may be affected.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import IntEnum

from lineage_core.answers.graph.model import NodeKind, Place
from lineage_core.answers.graph.store import GraphReader, HeldEdge
from lineage_core.evolution.data_types import Path
from lineage_core.evolution.dataset_history import fields_on
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, every_value

MOST_WALKED = 200_000
"""Consumers, and ends of the edges of one hop, after which the walk ends: so much fits in memory."""

Consuming = tuple[str, str | None]
"""A job, and a dataset that it makes; None of a job that makes none."""


class Harm(IntEnum):
    """What a change is to a consumer, the least first."""

    SAFE = 0
    UNKNOWN = 1
    BROKEN = 2


@dataclass
class ReachedConsumer:
    """A consumer. columns: the affected ones of what it makes. hops: jobs on the shortest way to it."""

    hops: int
    harm: Harm = Harm.SAFE
    columns: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class ImpactWalk:
    """is_cut: whether there are more consumers than were asked for. is_deeper: whether there are more behind the last
    hop that was asked for."""

    consumers: Mapping[Consuming, ReachedConsumer]
    is_cut: bool
    is_deeper: bool


@dataclass(frozen=True)
class _ColumnUse:
    job: str
    made: str
    origin: str
    made_columns: Sequence[str]
    taken_columns: Sequence[str]


@dataclass(frozen=True)
class _DottedColumn:
    dataset: str
    name: str


class ColumnPaths:
    """Some columns, which may be within others: `address.city` is affected if `address` is, and the other way round."""

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        self._paths: set[Path] = set()
        self._around: set[Path] = set()
        self._alike = defaultdict[str, list[Path]](list)
        """By the name of the outermost column, without capitals."""
        for path in paths:
            self.add(path)

    def add(self, path: Path) -> bool:
        """Whether it is new."""
        path = fields_on(path)
        if path in self._paths:
            return False
        self._paths.add(path)
        self._around.update(path[:length] for length in range(1, len(path)))
        self._alike[path[0].casefold()].append(path)
        return True

    def meet(self, path: Path) -> bool:
        """Whether it is one of them, or within one, or around one."""
        path = fields_on(path)
        return path in self._around or any(path[:length] in self._paths for length in range(1, len(path) + 1))

    def alike(self, path: Path) -> Iterator[Path]:
        """Those that it meets if capitals mean nothing."""
        path = fields_on(path)
        for other in self._alike.get(path[0].casefold(), ()):
            if all(mine.casefold() == its.casefold() for mine, its in zip(path, other, strict=False)):
                yield other

    @property
    def outermost(self) -> Set[str]:
        """Names without capitals: of those around all columns that it meets or that are alike."""
        return self._alike.keys()

    def __bool__(self) -> bool:
        return bool(self._paths)


class ColumnNames:
    """What the texts mean by which events name columns: a dot leads into a column, or is part of a name."""

    def __init__(self, dotted: Iterable[str] = ()) -> None:
        self._dotted = sorted(dotted, key=len, reverse=True)

    def path(self, text: str) -> Path:
        if "." not in text:
            return (text,)
        for name in self._dotted:
            if text == name:
                return (name,)
            if text.startswith(f"{name}."):
                return (name, *text[len(name) + 1 :].split("."))
        return tuple(text.split("."))


@dataclass(frozen=True)
class TakenColumns:
    """The columns of one dataset that a consumer takes. made: of each, the column of its own that it makes of it."""

    names: ColumnNames
    made: Sequence[str]
    taken: Sequence[str]

    def near(self, columns: ColumnPaths) -> Iterator[tuple[str, Path]]:
        """Those that some columns may meet, with what is made of each: the others differ from these by their outermost
        names, so that nothing else is asked of them."""
        outermost = columns.outermost
        for made, path in zip(self.made, self.paths(), strict=True):
            if path[0].casefold() in outermost:
                yield made, path

    def paths(self) -> Iterator[Path]:
        return map(self.names.path, self.taken)


def column_names(connection: Connection, datasets: Collection[str]) -> dict[str, ColumnNames]:
    """Of each of some datasets."""
    dotted = defaultdict[str, list[str]](list)
    asked = {"datasets": list(datasets)}
    for row in every_row(connection, _DottedColumn, "answers/impact/dotted_columns", asked):
        dotted[row.dataset].append(row.name)
    return {dataset: ColumnNames(dotted[dataset]) for dataset in datasets}


@dataclass
class _Readers:
    """Who reads one dataset. taken: of each consumer that says which columns it takes."""

    jobs: dict[str, None] = field(default_factory=dict)
    taken: dict[Consuming, TakenColumns] = field(default_factory=dict)


class Readings:
    """What the tables say of readers, each dataset and each job asked for once.

    most: things at the other ends of the edges of one hop.
    """

    def __init__(self, connection: Connection, reader: GraphReader, most: int) -> None:
        self.is_cut = False
        self.readers: dict[str, _Readers] = {}
        self.makes: dict[str, dict[str, None]] = {}
        self.names: dict[str, ColumnNames] = {}
        self._connection = connection
        self._reader = reader
        self._most = most
        self._distinct: dict[str, frozenset[str]] = {}

    def are_one(self, dataset: str, column: str, other: str) -> bool:
        """Whether two names, which may differ in capitals, are those of one column of a dataset.

        Databases, engines and clients write capitals as they like. So they are, unless events have described both names
        in one schema.
        """
        if column == other:
            return True
        if dataset not in self._distinct:
            asked = {"dataset": dataset}
            found = every_value(self._connection, str, "answers/impact/distinct_columns", asked)
            self._distinct[dataset] = frozenset(found)
        return not {column, other} <= self._distinct[dataset]

    def load(self, datasets: Iterable[str]) -> None:
        new = [dataset for dataset in datasets if dataset not in self.readers]
        if not new:
            return
        self.readers.update((dataset, _Readers()) for dataset in new)
        self.names.update(column_names(self._connection, [one for one in new if one not in self.names]))
        for edge in self._edges(NodeKind.DATASET, new):
            self.readers[edge.from_.uuid].jobs[edge.to.uuid] = None
        taken = self._taken(new)
        jobs = dict.fromkeys(job for dataset in new for job in self.readers[dataset].jobs)
        jobs.update(dict.fromkeys(row.job for row in taken))
        self._load_jobs([job for job in jobs if job not in self.makes])
        for row in taken:
            self._take(row)

    def _edges(self, kind: NodeKind, uuids: Sequence[str]) -> list[HeldEdge]:
        hop = self._reader.downstream(kind, [Place(kind, uuid) for uuid in uuids], self._most)
        self.is_cut |= hop.is_cut
        return sorted(hop.edges, key=lambda edge: (edge.from_.uuid, edge.to.uuid))

    def _taken(self, datasets: Sequence[str]) -> list[_ColumnUse]:
        asked = {"datasets": list(datasets), "most": self._most}
        found = every_row(self._connection, _ColumnUse, "answers/impact/taken", asked)
        self.is_cut |= len(found) == self._most
        return found

    def _take(self, row: _ColumnUse) -> None:
        """A job may take columns of a dataset that it does not name among its inputs: it reads that, too. What it says
        of a dataset that has ended since says nothing."""
        if row.made not in self.makes[row.job]:
            return
        readers = self.readers[row.origin]
        readers.jobs[row.job] = None
        readers.taken[row.job, row.made] = TakenColumns(self.names[row.origin], row.made_columns, row.taken_columns)

    def _load_jobs(self, jobs: Sequence[str]) -> None:
        if not jobs:
            return
        self.makes.update((job, {}) for job in jobs)
        for edge in self._edges(NodeKind.JOB, jobs):
            self.makes[edge.from_.uuid][edge.to.uuid] = None
        made = {one for job in jobs for one in self.makes[job] if one not in self.names}
        self.names.update(column_names(self._connection, made))


@dataclass
class _Spread:
    """What one hop does to datasets."""

    columns: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    unknown: set[str] = field(default_factory=set)


class Impacts:
    """From the changed columns of datasets on, hop by hop. unknown: those of which it is not known what changes."""

    def __init__(self, readings: Readings, changed: Mapping[str, ColumnPaths], unknown: Collection[str]) -> None:
        self._readings = readings
        self._columns = defaultdict[str, ColumnPaths](ColumnPaths, changed)
        self._unknown = set(unknown)
        self._changed = list(changed)
        self._consumers: dict[Consuming, ReachedConsumer] = {}

    def walk(self, depth: int | None, most: int) -> ImpactWalk:
        """depth: hops; None for all. most: consumers after which no further hop is taken."""
        hops = 0
        while self._changed and (depth is None or hops < depth):
            if self._readings.is_cut or len(self._consumers) > most:
                return ImpactWalk(self._consumers, is_cut=True, is_deeper=False)
            hops += 1
            self._hop(hops)
        self._readings.load(self._changed)
        is_deeper = any(self._readings.readers[dataset].jobs for dataset in self._changed)
        return ImpactWalk(self._consumers, self._readings.is_cut, is_deeper)

    def _hop(self, hops: int) -> None:
        """All consumers of a hop are judged by what the hops before have come to."""
        self._readings.load(self._changed)
        spread = _Spread()
        for dataset in self._changed:
            for job in self._readings.readers[dataset].jobs:
                for made in self._readings.makes[job] or (None,):
                    self._judge(dataset, (job, made), hops, spread)
        self._changed = list(self._reach(spread))

    def _judge(self, dataset: str, consuming: Consuming, hops: int, spread: _Spread) -> None:
        reached = self._consumers.setdefault(consuming, ReachedConsumer(hops))
        columns = self._affected(dataset, consuming)
        is_unknown = self._is_unknown(dataset, consuming)
        if columns:
            reached.harm = Harm.BROKEN
            reached.columns |= columns
        elif is_unknown:
            reached.harm = max(reached.harm, Harm.UNKNOWN)
        made = consuming[1]
        if made is not None:
            spread.columns[made] |= columns
            if is_unknown:
                spread.unknown.add(made)

    def _affected(self, dataset: str, consuming: Consuming) -> set[str]:
        taking = self._readings.readers[dataset].taken.get(consuming)
        near = taking.near(self._columns[dataset]) if taking else ()
        return {column for column, taken in near if self._is_affected(dataset, taken)}

    def _is_affected(self, dataset: str, taken: Path) -> bool:
        affected = self._columns[dataset]
        return affected.meet(taken) or any(
            self._readings.are_one(dataset, taken[0], other[0]) for other in affected.alike(taken)
        )

    def _is_unknown(self, dataset: str, consuming: Consuming) -> bool:
        """What a job says of another dataset that it makes says nothing of how it comes to this one."""
        if dataset in self._unknown:
            return True
        return bool(self._columns[dataset]) and consuming not in self._readings.readers[dataset].taken

    def _reach(self, spread: _Spread) -> Iterator[str]:
        """The datasets of which more is affected than before."""
        for dataset in sorted({*spread.columns, *spread.unknown}):
            names = self._readings.names[dataset]
            new = [self._columns[dataset].add(names.path(column)) for column in spread.columns[dataset]]
            is_newly_unknown = dataset in spread.unknown and dataset not in self._unknown
            if is_newly_unknown:
                self._unknown.add(dataset)
            if any(new) or is_newly_unknown:
                yield dataset
