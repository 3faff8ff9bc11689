"""The question: who takes the columns of a dataset that are to change, directly or not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from lineage_core.answers.graph.model import NodeKind, Place, Root
from lineage_core.answers.graph.orders import END, time_of
from lineage_core.answers.graph.store import GraphReader, dataset_or_none, root_place
from lineage_core.answers.impact.changes import ChangedColumns, changed_columns
from lineage_core.answers.impact.model import (
    ChangedDataset,
    Consumer,
    DatasetsToCome,
    DatasetToCome,
    Impact,
    ImpactCounts,
    ImpactVerdict,
    SchemaToCome,
)
from lineage_core.answers.impact.walk import (
    MOST_WALKED,
    ColumnPaths,
    Consuming,
    Harm,
    Impacts,
    ImpactWalk,
    ReachedConsumer,
    Readings,
)
from lineage_core.answers.snapshots import as_of
from lineage_core.errors import NotInStore, WrongUsage
from lineage_core.evolution.data_types import text_of
from lineage_core.normalize.store.event_choices import waiting_since
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row
from lineage_core.reading.store import snapshot

MOST_CONSUMERS = 1_000
"""Of one answer."""

_NO_DATASET = str(UUID(int=0))
"""Stands in a cursor for the dataset of a consumer that makes none."""

_VERDICTS = {Harm.BROKEN: ImpactVerdict.BROKEN, Harm.UNKNOWN: ImpactVerdict.UNKNOWN, Harm.SAFE: ImpactVerdict.SAFE}


@dataclass(frozen=True)
class _ConsumerOwner:
    number: int
    owner: str | None


@dataclass(frozen=True)
class _LastMoment:
    job: str
    event_order: bytes


_Row = tuple[Consuming, ReachedConsumer]


def impact_of(
    store: Store,
    namespace: str,
    name: str,
    change: SchemaToCome,
    *,
    depth: int | None = None,
    limit: int = MOST_CONSUMERS,
    after: str | None = None,
) -> Impact:
    """Who a change of a dataset reaches, by the edges that hold now (docs/decisions/0060).

    namespace, name: any name of the dataset. depth: hops; None for all. limit: most consumers of this answer. after:
    `next` of the answer before, for the same question.

    Raises WrongUsage for a dataset or a column that no event has named, a change that changes nothing, or a cursor
    that is none.
    """
    with snapshot(store) as connection:
        root = root_place(connection, Root(NodeKind.DATASET, namespace, name)).uuid
        return impact_on(connection, root, change, depth=depth, limit=limit, after=after)


def impact_on(
    connection: Connection,
    dataset: str,
    change: SchemaToCome,
    *,
    depth: int | None = None,
    limit: int = MOST_CONSUMERS,
    after: str | None = None,
) -> Impact:
    """The same in a snapshot that other questions may share, of a row of `datasets`. Raises as `impact_of` does."""
    return _answer(connection, [changed_columns(connection, dataset, change)], depth, limit, after)


def impact_of_all(
    store: Store,
    changes: DatasetsToCome,
    *,
    depth: int | None = None,
    limit: int = MOST_CONSUMERS,
    after: str | None = None,
) -> Impact:
    """As `impact_of`, of what a file says of several datasets: a consumer that several of them reach is there once.

    Who reads only what does not change is not looked at. A dataset that no event has named is one that is to come, and
    is listed as such.

    Raises as `impact_of` does, also if the file says nothing of any dataset that an event has named.
    """
    with snapshot(store) as connection:
        named, unnamed = _named(connection, changes.datasets)
        if not named:
            raise NotInStore("No event has named any of the datasets that this describes. Check the namespace.")
        found = [changed_columns(connection, dataset, change) for dataset, change in named]
        answer = _answer(connection, [one for one in found if one.is_any], depth, limit, after)
    return replace(answer, unnamed=unnamed, undescribed=changes.undescribed)


def _named(
    connection: Connection, changes: Iterable[DatasetToCome]
) -> tuple[list[tuple[str, SchemaToCome]], tuple[str, ...]]:
    """Those that an event has named, and the names of the others."""
    named, unnamed = [], []
    for one in changes:
        dataset = dataset_or_none(connection, one.namespace, one.name)
        if dataset is None:
            unnamed.append(f"{one.namespace}/{one.name}")
        else:
            named.append((dataset, one.change))
    return named, tuple(unnamed)


def _answer(
    connection: Connection, changes: Sequence[ChangedColumns], depth: int | None, limit: int, after: str | None
) -> Impact:
    begin = None if after is None else _cursor(after)
    reader = GraphReader(connection, END, shows_hidden=False)
    walked = _walked(Readings(connection, reader, MOST_WALKED), changes, depth)
    rows = sorted(walked.consumers.items(), key=_place)
    rest = rows if begin is None else [row for row in rows if _place(row) > begin]
    shown = rest[:limit]
    cut = tuple(what for what, is_so in (("depth", walked.is_deeper), ("walk", walked.is_cut)) if is_so)
    counted = Counter(reached.harm for reached in walked.consumers.values())
    datasets = tuple(_changed(reader, changes))
    return Impact(
        complete=begin is None and len(rest) == len(shown) and not cut,
        as_of=as_of(connection),
        waiting_since=waiting_since(connection),
        next=_written_cursor(shown[-1]) if len(rest) > len(shown) else None,
        cut=cut,
        changed=tuple(sorted({column for one in datasets for column in one.changed})),
        refused=tuple(dict.fromkeys(refused for one in datasets for refused in one.refused)),
        is_known=all(one.is_known for one in datasets),
        counts=ImpactCounts(counted[Harm.BROKEN], counted[Harm.UNKNOWN], counted[Harm.SAFE]),
        consumers=tuple(_consumers(connection, reader, shown)),
        datasets=datasets,
    )


def _walked(readings: Readings, changes: Sequence[ChangedColumns], depth: int | None) -> ImpactWalk:
    """Two changes may be of one dataset, by two of its names."""
    columns = defaultdict[str, ColumnPaths](ColumnPaths)
    unknown = set[str]()
    for one in changes:
        for path in one.paths:
            columns[one.dataset].add(path)
        if not one.is_known:
            unknown.add(one.dataset)
    changed = {one.dataset: columns[one.dataset] for one in changes}
    return Impacts(readings, changed, unknown).walk(depth, MOST_WALKED)


def _changed(reader: GraphReader, changes: Sequence[ChangedColumns]) -> Iterator[ChangedDataset]:
    nodes = reader.nodes([Place(NodeKind.DATASET, one.dataset) for one in changes])
    for one, node in zip(changes, nodes, strict=True):
        columns = tuple(sorted(map(text_of, one.paths)))
        yield ChangedDataset(f"{node.namespace}/{node.name}", columns, one.refused, one.is_known, one.dataset)


def _place(row: _Row) -> tuple[int, int, str, str]:
    (job, dataset), reached = row
    return -reached.harm, reached.hops, job, dataset or _NO_DATASET


def _written_cursor(row: _Row) -> str:
    harm, hops, job, dataset = _place(row)
    return f"{-harm}.{hops}.{job}.{dataset}"


def _cursor(text: str) -> tuple[int, int, str, str]:
    try:
        harm, hops, job, dataset = text.split(".")
        return -int(harm), int(hops), str(UUID(job)), str(UUID(dataset))
    except ValueError as error:
        raise WrongUsage(f"{text[:100]!r} is no cursor: give `next` of the answer before, as it is") from error


def _consumers(connection: Connection, reader: GraphReader, shown: Sequence[_Row]) -> Iterator[Consumer]:
    names = _names(reader, shown)
    owners = _owners(connection, shown)
    asked = {"jobs": list({job for (job, _), _ in shown})}
    moments = every_row(connection, _LastMoment, "answers/impact/last_moments", asked)
    last_read = {one.job: time_of(one.event_order) for one in moments}
    for number, ((job, dataset), reached) in enumerate(shown, 1):
        yield Consumer(
            names[job],
            names[dataset] if dataset else None,
            tuple(sorted(reached.columns)),
            _VERDICTS[reached.harm],
            reached.hops,
            owners.get(number),
            last_read.get(job),
            job,
            dataset,
        )


def _names(reader: GraphReader, shown: Sequence[_Row]) -> dict[str, str]:
    jobs = {Place(NodeKind.JOB, job): None for (job, _), _ in shown}
    datasets = {Place(NodeKind.DATASET, dataset): None for (_, dataset), _ in shown if dataset}
    places = [*jobs, *datasets]
    nodes = reader.nodes(places)
    return {place.uuid: f"{node.namespace}/{node.name}" for place, node in zip(places, nodes, strict=True)}


def _owners(connection: Connection, shown: Sequence[_Row]) -> Mapping[int, str | None]:
    asked = {"jobs": [job for (job, _), _ in shown], "datasets": [dataset for (_, dataset), _ in shown]}
    return {one.number: one.owner for one in every_row(connection, _ConsumerOwner, "answers/impact/owners", asked)}
