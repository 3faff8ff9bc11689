"""The question: who takes the columns of a dataset that are to change, directly or not."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from lineage_core.answers.graph.model import DatasetElsewhere, NodeKind, Place, Root
from lineage_core.answers.graph.orders import END, time_of
from lineage_core.answers.graph.store import GraphReader, dataset_or_none, root_place
from lineage_core.answers.impact.walk import (
    ColumnNames,
    ColumnPaths,
    Consuming,
    Harm,
    Impacts,
    ImpactWalk,
    ReachedConsumer,
    Readings,
    column_names,
)
from lineage_core.answers.snapshots import as_of
from lineage_core.errors import NotInStore, WrongUsage
from lineage_core.evolution.data_types import Path, parsed_path, text_of
from lineage_core.evolution.dataset_history import DatasetHistory, DescribedField, recorded_fields
from lineage_core.evolution.rules import Refusal
from lineage_core.normalize.store.event_choices import waiting_since
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, one_value, value_or_none
from lineage_core.reading.schema_history import history_of
from lineage_core.reading.store import DatasetReading, snapshot

MOST_CONSUMERS = 1_000
"""Of one answer."""

MOST_WALKED = 200_000
"""Consumers, and ends of the edges of one hop, after which the walk ends: so much fits in memory."""

_NO_DATASET = str(UUID(int=0))
"""Stands in a cursor for the dataset of a consumer that makes none."""


class ImpactVerdict(StrEnum):
    """What a change is to a consumer."""

    BROKEN = "broken"
    """It takes a column that is dropped, renamed or of another type then, or one that is made of such a column."""
    UNKNOWN = "unknown"
    """It reads what changes, and no column lineage says which columns it takes."""
    SAFE = "safe"
    """It reads what changes, and by its column lineage takes nothing of that."""


_VERDICTS = {Harm.BROKEN: ImpactVerdict.BROKEN, Harm.UNKNOWN: ImpactVerdict.UNKNOWN, Harm.SAFE: ImpactVerdict.SAFE}


@dataclass(frozen=True)
class SchemaToCome:
    """A change that somebody means to make: all fields as they will be, or else what is dropped and renamed.

    renamed: the name now, and the name then. ignores_case: whether a field is the one that is stored even if capitals
    are written otherwise, as databases have it.
    """

    fields: tuple[DescribedField, ...] | None = None
    dropped: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    ignores_case: bool = False


@dataclass(frozen=True)
class DatasetToCome:
    """What is to change of one dataset, by any name of it."""

    namespace: str
    name: str
    change: SchemaToCome


@dataclass(frozen=True)
class DatasetsToCome:
    """What a file says of several datasets. undescribed: those, as `namespace/name`, of which it lists no columns."""

    datasets: tuple[DatasetToCome, ...]
    undescribed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Consumer:
    """A job that reads the dataset, or something that is made of it, and one dataset that it makes.

    job, dataset: `namespace/name`; dataset is None of a job that makes none. columns: those of the dataset that are
    affected, empty unless it is broken. hops: jobs on the shortest way from the dataset that changes, this one among
    them. owner: of the job, else of its dataset, else of its namespace; several with commas between; None if no owner
    is known. last_read: the last event that has put a version of the job in force.
    job_uuid, dataset_uuid: as in `jobs` and `datasets`, as text.
    """

    job: str
    dataset: str | None
    columns: tuple[str, ...]
    verdict: ImpactVerdict
    hops: int
    owner: str | None
    last_read: datetime | None
    job_uuid: str
    dataset_uuid: str | None


@dataclass(frozen=True)
class ImpactCounts:
    """Consumers of each verdict, of all pages together."""

    broken: int
    unknown: int
    safe: int


@dataclass(frozen=True)
class ChangedDataset:
    """What changes of one dataset, `namespace/name`: the members are those of Impact."""

    dataset: str
    changed: tuple[str, ...]
    refused: tuple[str, ...]
    is_known: bool
    dataset_uuid: str
    """As in `datasets`, as text."""


@dataclass(frozen=True)
class Impact:
    """Who a change reaches: the broken first, then the nearest.

    complete: whether all consumers are here. Else `next` is where the next page begins, and `cut` says what no page
    has: `depth`, what lies behind the hops that were asked for; `walk`, what lies behind the limit of the walk.
    as_of: the moment of the snapshot. waiting_since: when the first raw event arrived that is in no table yet.
    changed: paths of the columns that whoever takes them loses. refused: what the rules of schemas refuse of the
    change, whoever reads. is_known: whether any event gives a schema that a new one can be compared with; else
    everything is unknown. Of several datasets, these three are of all together; `datasets` says which it is of.
    unnamed: datasets of a file that no event has named, so that no job is known to read them. undescribed: those of
    which it lists no columns, so that it says nothing of them. elsewhere: datasets that are reached, and that jobs of
    other stores read; None where there is one store. unasked_stores: those that could not be asked, and why.
    """

    complete: bool
    as_of: datetime
    waiting_since: datetime | None
    next: str | None
    cut: tuple[str, ...]
    changed: tuple[str, ...]
    refused: tuple[str, ...]
    is_known: bool
    counts: ImpactCounts
    consumers: tuple[Consumer, ...]
    datasets: tuple[ChangedDataset, ...] = ()
    unnamed: tuple[str, ...] = ()
    undescribed: tuple[str, ...] = ()
    elsewhere: tuple[DatasetElsewhere, ...] | None = None
    unasked_stores: Mapping[str, str] = field(default_factory=dict)

    def has(self, worst: ImpactVerdict) -> bool:
        """Whether a consumer is so, or worse; or may be, as the answer is cut in a way that no page makes good, or goes
        on in another store."""
        asked = self.counts.broken + (self.counts.unknown if worst is not ImpactVerdict.BROKEN else 0)
        return asked > 0 or bool(self.cut or self.elsewhere or self.unasked_stores)


@dataclass(frozen=True)
class _Change:
    dataset: str
    paths: tuple[Path, ...]
    refused: tuple[str, ...] = ()
    is_known: bool = True

    @property
    def is_any(self) -> bool:
        return bool(self.paths or self.refused) or not self.is_known


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
    return _answer(connection, [_change(connection, dataset, change)], depth, limit, after)


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
        found = [_change(connection, dataset, change) for dataset, change in named]
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
    connection: Connection, changes: Sequence[_Change], depth: int | None, limit: int, after: str | None
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


def _walked(readings: Readings, changes: Sequence[_Change], depth: int | None) -> ImpactWalk:
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


def _changed(reader: GraphReader, changes: Sequence[_Change]) -> Iterator[ChangedDataset]:
    nodes = reader.nodes([Place(NodeKind.DATASET, one.dataset) for one in changes])
    for one, node in zip(changes, nodes, strict=True):
        columns = tuple(sorted(map(text_of, one.paths)))
        yield ChangedDataset(f"{node.namespace}/{node.name}", columns, one.refused, one.is_known, one.dataset)


def _paths(connection: Connection, dataset: str, columns: Collection[str]) -> tuple[Path, ...]:
    """Of columns, as events name them. Raises WrongUsage if no event has."""
    names = column_names(connection, [dataset])[dataset]
    for column in columns:
        _check_named(connection, dataset, column, names)
    return tuple(dict.fromkeys(map(names.path, columns)))


def _check_named(connection: Connection, dataset: str, column: str, names: ColumnNames) -> None:
    asked = {"dataset": dataset, "column": column}
    if one_value(connection, bool, "answers/impact/has_column", asked):
        return
    readings = Readings(connection, GraphReader(connection, END, shows_hidden=False), MOST_WALKED)
    readings.load([dataset])
    taken = ColumnPaths(path for pairs in readings.readers[dataset].pairs.values() for _, path in pairs)
    if not taken.meet(names.path(column)):
        raise NotInStore(f"No event has named a column {column!r} of the dataset; `lineage query` shows which it has.")


def _change(connection: Connection, dataset: str, change: SchemaToCome) -> _Change:
    if change.fields is not None:
        return _of_schema(connection, dataset, change.fields, ignores_case=change.ignores_case)
    lost = [*change.dropped, *(before for before, _ in change.renamed)]
    if not lost:
        raise WrongUsage("Say what changes: --schema FILE, --drop COLUMN or --rename OLD NEW")
    for before, after in change.renamed:
        if before == after:
            raise WrongUsage(f"The column {before!r} keeps its name: say which other one it gets")
    used = [after for _, after in change.renamed if _is_used(connection, dataset, after)]
    refused = tuple(f"{text_of((name,))}: a column had this name before" for name in used)
    return _Change(dataset, _paths(connection, dataset, lost), refused)


def _is_used(connection: Connection, dataset: str, name: str) -> bool:
    return one_value(connection, bool, "answers/graph/has_column", {"dataset": dataset, "name": name})


def _of_schema(
    connection: Connection, dataset: str, fields: Sequence[DescribedField], *, ignores_case: bool
) -> _Change:
    """By the rules of `lineage schema check`. Of a dataset that only readers describe, by what they stated last."""
    history = history_of(DatasetReading(connection, UUID(dataset)).last_schema())
    if history.struct is None:
        asked = {"dataset": dataset}
        described = value_or_none(connection, str, "answers/impact/schema_by_readers", asked)
        history = DatasetHistory().next(recorded_fields(described))[1]
    stored = [field.name for field in history.struct.fields if not field.deleted] if history.struct else []
    judgement = history.next_for_all(_named_as(fields, stored) if ignores_case else fields)[0]
    return _Change(
        dataset,
        tuple(dict.fromkeys(parsed_path(fenced.refusal.path) for fenced in judgement.fenced)),
        tuple(map(_refused, judgement.refusals)),
        is_known=history.struct is not None,
    )


def _named_as(fields: Sequence[DescribedField], stored: Collection[str]) -> list[DescribedField]:
    """The fields by the names that are stored, where only capitals are others."""
    alike = {name.casefold(): name for name in stored}
    return [
        field
        if field.name in stored
        else DescribedField(alike.get(field.name.casefold(), field.name), field.type, field.fields)
        for field in fields
    ]


def _refused(refusal: Refusal) -> str:
    return f"{refusal.path}: {refusal.reason} (rule {refusal.rule})"


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
