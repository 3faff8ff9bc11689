"""What the tables say of edges at a moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from lineage_core.answers.graph.model import EdgeKind, Node, NodeKind, Place, Root
from lineage_core.answers.graph.spans import Span, cut, joined
from lineage_core.errors import WrongUsage
from lineage_core.openlineage.events import Role
from lineage_core.openlineage.identity import dataset_uuid, formatted_namespace
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, every_row, one_value, value_or_none
from lineage_core.reading.unknown_names import unknown_dataset, unknown_job

Key = TypeVar("Key")


@dataclass(frozen=True)
class HeldEdge:
    """An edge that holds at the moment, by what a job does, and from when until when."""

    from_: Place
    to: Place
    kind: EdgeKind
    job: UUID
    span: Span

    @property
    def role(self) -> Role:
        return Role.INPUT if self.kind is EdgeKind.READS else Role.OUTPUT

    @property
    def dataset(self) -> UUID:
        """Of what is read or written; of columns, of the one that is made."""
        return (self.from_ if self.kind is EdgeKind.READS else self.to).uuid


@dataclass(frozen=True)
class Hop:
    """Edges from some places. is_cut: whether there are more things at their other ends than were asked for."""

    edges: list[HeldEdge]
    is_cut: bool


@dataclass(frozen=True)
class Confirmation:
    last_event: bytes | None
    runs: int


@dataclass(frozen=True)
class Flow:
    """The run that last used an edge, and the version of the dataset that it read or wrote."""

    number: int
    run_uuid: UUID | None
    version_uuid: UUID | None


@dataclass(frozen=True)
class _Edge:
    job_uuid: UUID
    dataset_uuid: UUID
    role: int
    since_event: bytes
    until_event: bytes
    resumed_event: bytes | None
    ends_event: bytes | None
    holds: bool

    @property
    def key(self) -> tuple[UUID, UUID, int]:
        return self.job_uuid, self.dataset_uuid, self.role

    def held(self, stored: Iterable[Span]) -> HeldEdge:
        job, dataset = Place(NodeKind.JOB, self.job_uuid), Place(NodeKind.DATASET, self.dataset_uuid)
        span = cut(joined(Span(self.since_event, self.until_event), stored), self.resumed_event, self.ends_event)
        if self.role == Role.INPUT.value:
            return HeldEdge(dataset, job, EdgeKind.READS, self.job_uuid, span)
        return HeldEdge(job, dataset, EdgeKind.WRITES, self.job_uuid, span)


@dataclass(frozen=True)
class _Interval:
    job_uuid: UUID
    dataset_uuid: UUID
    role: int
    since_event: bytes
    until_event: bytes


@dataclass(frozen=True)
class _Pair:
    job_uuid: UUID
    output_uuid: UUID
    output_column: str
    input_uuid: UUID
    input_column: str
    since_event: bytes
    until_event: bytes
    resumed_event: bytes | None
    ends_event: bytes | None
    holds: bool

    @property
    def key(self) -> tuple[UUID, UUID, str, UUID, str]:
        return self.job_uuid, self.output_uuid, self.output_column, self.input_uuid, self.input_column

    def held(self, stored: Iterable[Span]) -> HeldEdge:
        output = Place(NodeKind.COLUMN, self.output_uuid, self.output_column)
        input_ = Place(NodeKind.COLUMN, self.input_uuid, self.input_column)
        span = cut(joined(Span(self.since_event, self.until_event), stored), self.resumed_event, self.ends_event)
        return HeldEdge(input_, output, EdgeKind.DERIVES, self.job_uuid, span)


@dataclass(frozen=True)
class _PairInterval:
    number: int
    since_event: bytes
    until_event: bytes


@dataclass(frozen=True)
class _NodeName:
    uuid: UUID
    namespace: str
    name: str


@dataclass(frozen=True)
class _RunCount:
    number: int
    last_event: bytes | None
    runs: int


@dataclass(frozen=True)
class _RunOfEvent:
    event_order: bytes
    run_uuid: UUID


_OUTPUT_OF_PAIR, _INPUT_OF_PAIR = slice(1, 3), slice(3, 5)
"""The parts of the key of a pair: dataset and column of each end."""


class GraphReader:
    """Reads the edges of one moment, in one transaction.

    before: the first place in the order of events that lies behind the moment. shows_hidden: whether what a person has
    hidden is there, too: hiding says nothing of the past.
    """

    def __init__(self, connection: Connection, before: bytes, *, shows_hidden: bool, is_as_known: bool = False) -> None:
        """is_as_known: whether the session shows what was known at another moment (`known.shown_as_known`)."""
        self._connection = connection
        self._endings_of = composed(f"answers/graph/endings_{'then' if is_as_known else 'now'}")
        self._before = before
        self._shows_hidden = shows_hidden

    def upstream(self, kind: NodeKind, places: Sequence[Place], most: int) -> Hop:
        """What leads to places of a kind, from the first things by their ids, `most` of them."""
        if kind is NodeKind.COLUMN:
            return self._pairs("answers/graph/of_outputs", places, most, _INPUT_OF_PAIR)
        return self._edges(kind, places, Role.OUTPUT if kind is NodeKind.DATASET else Role.INPUT, most)

    def downstream(self, kind: NodeKind, places: Sequence[Place], most: int) -> Hop:
        """What leads from places of a kind, to the first things by their ids, `most` of them."""
        if kind is NodeKind.COLUMN:
            return self._pairs("answers/graph/of_inputs", places, most, _OUTPUT_OF_PAIR)
        return self._edges(kind, places, Role.INPUT if kind is NodeKind.DATASET else Role.OUTPUT, most)

    def _edges(self, kind: NodeKind, places: Sequence[Place], role: Role, most: int) -> Hop:
        statement = composed(
            "answers/graph/edges", endings_of=self._endings_of, stored=composed(f"answers/graph/of_{kind.value}s")
        )
        asked = {"asked": [place.uuid for place in places], "role": role.value} | self._moment(most)
        found: defaultdict[tuple[UUID, UUID, int], list[_Edge]] = defaultdict(list)
        for row in every_row(self._connection, _Edge, statement, asked):
            found[row.key].append(row)
        others = self._intervals(found)
        ends = {
            row.job_uuid if kind is NodeKind.DATASET else row.dataset_uuid for rows in found.values() for row in rows
        }
        return Hop(list(_held(found, others)), len(ends) >= most)

    def _intervals(self, keys: Iterable[tuple[UUID, UUID, int]]) -> dict[tuple[UUID, UUID, int], list[Span]]:
        """All that is stored of edges to datasets of several names."""
        listed = list(keys)
        asked = {
            "jobs": [job for job, _, _ in listed],
            "datasets": [dataset for _, dataset, _ in listed],
            "roles": [role for _, _, role in listed],
        }
        found: defaultdict[tuple[UUID, UUID, int], list[Span]] = defaultdict(list)
        for row in every_row(self._connection, _Interval, "answers/graph/intervals", asked):
            found[row.job_uuid, row.dataset_uuid, row.role].append(Span(row.since_event, row.until_event))
        return found

    def _pairs(self, stored: str, places: Sequence[Place], most: int, other: slice) -> Hop:
        statement = composed("answers/graph/pairs", endings_of=self._endings_of, stored=composed(stored))
        asked = {"datasets": [place.uuid for place in places], "columns": [place.column for place in places]}
        found: defaultdict[tuple[UUID, UUID, str, UUID, str], list[_Pair]] = defaultdict(list)
        for row in every_row(self._connection, _Pair, statement, asked | self._moment(most)):
            found[row.key].append(row)
        others = self._pair_intervals(list(found))
        return Hop(list(_held(found, others)), len({key[other] for key in found}) >= most)

    def _pair_intervals(
        self, keys: Sequence[tuple[UUID, UUID, str, UUID, str]]
    ) -> dict[tuple[UUID, UUID, str, UUID, str], list[Span]]:
        """All that is stored of pairs, as another description of columns may have them, too."""
        names = ("jobs", "outputs", "output_columns", "inputs", "input_columns")
        asked = {name: [key[place] for key in keys] for place, name in enumerate(names)}
        found: defaultdict[tuple[UUID, UUID, str, UUID, str], list[Span]] = defaultdict(list)
        for row in every_row(self._connection, _PairInterval, "answers/graph/pair_intervals", asked):
            found[keys[row.number - 1]].append(Span(row.since_event, row.until_event))
        return found

    def _moment(self, most: int) -> dict[str, object]:
        return {"before": self._before, "most": most, "shows_hidden": self._shows_hidden}

    def evidence(self, edges: Sequence[HeldEdge]) -> list[Confirmation]:
        """Of each edge, in their order."""
        stretches = list(dict.fromkeys((edge.job, edge.span) for edge in edges))
        asked = {
            "jobs": [job for job, _ in stretches],
            "since": [span.since for _, span in stretches],
            "until": [span.until for _, span in stretches],
        }
        rows = every_row(self._connection, _RunCount, "answers/graph/evidence", asked)
        found = {stretches[row.number - 1]: Confirmation(row.last_event, row.runs) for row in rows}
        return [found[edge.job, edge.span] for edge in edges]

    def flows(self, edges: Sequence[HeldEdge]) -> dict[int, Flow]:
        """By the places of these edges, which are of datasets and jobs."""
        asked = {
            "jobs": [edge.job for edge in edges],
            "datasets": [edge.dataset for edge in edges],
            "roles": [edge.role.value for edge in edges],
            "since": [edge.span.since for edge in edges],
            "until": [edge.span.until for edge in edges],
            "before": self._before,
        }
        return {flow.number - 1: flow for flow in every_row(self._connection, Flow, "answers/graph/flows", asked)}

    def nodes(self, places: Collection[Place]) -> Iterator[Node]:
        """In their order. A dataset that only a description of columns names has the name that it gives: none."""
        datasets = self._names("answers/graph/named_datasets", places, (NodeKind.DATASET, NodeKind.COLUMN))
        jobs = self._names("answers/graph/named_jobs", places, (NodeKind.JOB,))
        for place in places:
            named = (jobs if place.kind is NodeKind.JOB else datasets).get(place.uuid)
            yield Node(
                place.id,
                place.kind,
                named.namespace if named else "",
                named.name if named else "",
                place.column,
            )

    def _names(self, statement: str, places: Collection[Place], kinds: Collection[NodeKind]) -> dict[UUID, _NodeName]:
        asked = {"uuids": list({place.uuid for place in places if place.kind in kinds})}
        return {row.uuid: row for row in every_row(self._connection, _NodeName, statement, asked)}

    def purged_before(self) -> datetime | None:
        """Up to which moment retention has deleted runs anywhere; None if nowhere."""
        return value_or_none(self._connection, datetime, "answers/graph/horizon")


def _held(found: Mapping[Key, Sequence[_Edge | _Pair]], others: Mapping[Key, Sequence[Span]]) -> Iterator[HeldEdge]:
    for key, rows in found.items():
        if rows[0].holds:
            yield rows[0].held([*_spans(rows), *others.get(key, [])])


def _spans(rows: Iterable[_Edge | _Pair]) -> Iterator[Span]:
    return (Span(row.since_event, row.until_event) for row in rows)


def runs_of_events(connection: Connection, orders: Collection[bytes]) -> dict[bytes, str]:
    """The runs of some events by their places in the order, of those that are of one."""
    found = every_row(connection, _RunOfEvent, "answers/graph/runs_of_events", {"orders": list(orders)})
    return {row.event_order: str(row.run_uuid) for row in found}


def root_place(connection: Connection, root: Root) -> Place:
    """Raises WrongUsage, with the nearest name, if no event has named it so."""
    namespace = formatted_namespace(root.namespace)
    if root.kind is NodeKind.JOB:
        found = value_or_none(connection, UUID, "answers/graph/job", {"namespace": namespace, "name": root.name})
    else:
        found = dataset_or_none(connection, namespace, root.name)
    if found is None:
        unknown = unknown_job if root.kind is NodeKind.JOB else unknown_dataset
        raise unknown(connection, root.namespace, root.name)
    if root.column is not None and not has_column(connection, found, root.column):
        raise WrongUsage(f"No event has named a column {root.column!r} of the dataset {root.name!r}.")
    return Place(root.kind, found, root.column)


def dataset_or_none(connection: Connection, namespace: str, name: str) -> UUID | None:
    """By any of its names; None if no event has named it so."""
    key = UUID(bytes=dataset_uuid(formatted_namespace(namespace), name))
    return value_or_none(connection, UUID, "answers/graph/dataset", {"key": key})


def has_column(connection: Connection, dataset: UUID, name: str) -> bool:
    """Whether any event has named such a column of the dataset."""
    return one_value(connection, bool, "answers/graph/has_column", {"dataset": dataset, "name": name})
