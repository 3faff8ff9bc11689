"""What the tables say of edges at a moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol, TypeVar
from uuid import UUID

from lineage_core.answers.graph.ends import UNBROKEN, Ends, EndsOfEdge, Stretch
from lineage_core.answers.graph.model import EdgeKind, Node, NodeKind, Place, Root
from lineage_core.answers.graph.spans import Span, joined
from lineage_core.errors import NotInStore
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import Role
from lineage_core.openlineage.identity import dataset_uuid
from lineage_core.postgres.arrays import bytea_array, uuid_array
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, every_row, one_value, value_or_none
from lineage_core.reading.unknown_names import unknown_dataset, unknown_job

_EdgeKey = tuple[str, str, int]
"""Job, dataset and role."""

_PairKey = tuple[str, str, str, str, str]
"""Job, then dataset and column of each end: what is made, and what it is made of."""

Key_co = TypeVar("Key_co", bound=tuple[object, ...], covariant=True)


class HeldEdge(NamedTuple):
    """An edge that holds at the moment, by what a job does, and from when until when."""

    from_: Place
    to: Place
    kind: EdgeKind
    job: str
    span: Span

    @property
    def role(self) -> Role:
        return Role.INPUT if self.kind is EdgeKind.READS else Role.OUTPUT

    @property
    def dataset(self) -> str:
        """Of what is read or written; of columns, of the one that is made."""
        return (self.from_ if self.kind is EdgeKind.READS else self.to).uuid


@dataclass(frozen=True)
class Hop:
    """Edges from some places. is_cut: whether there are more things at their other ends than were asked for."""

    edges: list[HeldEdge]
    is_cut: bool


class Confirmation(NamedTuple):
    last_event: bytes | None
    runs: int


@dataclass(frozen=True)
class Flow:
    """The run that last used an edge, and the version of the dataset that it read or wrote."""

    number: int
    run_uuid: str | None
    version_uuid: str | None


class _Stored(Protocol[Key_co]):
    """A span of an edge, as a row."""

    @property
    def job_uuid(self) -> str: ...

    @property
    def since_event(self) -> bytes: ...

    @property
    def until_event(self) -> bytes: ...

    @property
    def key(self) -> Key_co:
        """What is the same for all spans of an edge."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """Whose endings end it."""

    def is_there(self, ends: Ends) -> bool:
        """Whether the store has what it leads to and from."""

    def held(self, span: Span) -> HeldEdge:
        """As an edge that holds."""


class _Edge(NamedTuple):
    job_uuid: str
    dataset_uuid: str
    role: int
    since_event: bytes
    until_event: bytes

    @property
    def key(self) -> _EdgeKey:
        return self.job_uuid, self.dataset_uuid, self.role

    @property
    def datasets(self) -> tuple[str, ...]:
        return (self.dataset_uuid,)

    def is_there(self, ends: Ends) -> bool:
        return None not in (ends.thing(self.job_uuid), ends.thing(self.dataset_uuid))

    def held(self, span: Span) -> HeldEdge:
        job, dataset = Place(NodeKind.JOB, self.job_uuid), Place(NodeKind.DATASET, self.dataset_uuid)
        if self.role == Role.INPUT.value:
            return HeldEdge(dataset, job, EdgeKind.READS, self.job_uuid, span)
        return HeldEdge(job, dataset, EdgeKind.WRITES, self.job_uuid, span)


class _Interval(NamedTuple):
    job_uuid: str
    dataset_uuid: str
    role: int
    since_event: bytes
    until_event: bytes


class _Pair(NamedTuple):
    job_uuid: str
    output_uuid: str
    output_column: str
    input_uuid: str
    input_column: str
    since_event: bytes
    until_event: bytes

    @property
    def key(self) -> _PairKey:
        return self.job_uuid, self.output_uuid, self.output_column, self.input_uuid, self.input_column

    @property
    def datasets(self) -> tuple[str, ...]:
        return self.output_uuid, self.input_uuid

    def is_there(self, ends: Ends) -> bool:
        """What is read may have been named by descriptions of columns alone."""
        return None not in (ends.thing(self.job_uuid), ends.thing(self.output_uuid))

    def held(self, span: Span) -> HeldEdge:
        output = Place(NodeKind.COLUMN, self.output_uuid, self.output_column)
        input_ = Place(NodeKind.COLUMN, self.input_uuid, self.input_column)
        return HeldEdge(input_, output, EdgeKind.DERIVES, self.job_uuid, span)


class _PairInterval(NamedTuple):
    number: int
    since_event: bytes
    until_event: bytes


class _RunCount(NamedTuple):
    number: int
    last_event: bytes | None
    runs: int


@dataclass(frozen=True)
class _RunOfEvent:
    event_order: bytes
    run_uuid: str


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
        self._ends = Ends(connection, before, is_as_known=is_as_known)
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
        statement = composed("answers/graph/edges", stored=composed(f"answers/graph/of_{kind.value}s"))
        asked = {"asked": uuid_array(place.uuid for place in places), "role": role.value} | self._moment(most)
        rows = every_row(self._connection, _Edge, statement, asked)
        return self._hop(rows, self._intervals, 0 if kind is NodeKind.DATASET else 1, most)

    def _pairs(self, stored: str, places: Sequence[Place], most: int, other: slice) -> Hop:
        statement = composed("answers/graph/pairs", stored=composed(stored))
        asked = {"datasets": uuid_array(place.uuid for place in places), "columns": [place.column for place in places]}
        rows = every_row(self._connection, _Pair, statement, asked | self._moment(most))
        return self._hop(rows, self._pair_intervals, other, most)

    def _moment(self, most: int) -> dict[str, object]:
        return {"before": self._before, "most": most}

    def _hop(
        self,
        rows: Sequence[_Stored[Key_co]],
        intervals: Callable[[Collection[Key_co]], Mapping[Key_co, Sequence[Span]]],
        other: int | slice,
        most: int,
    ) -> Hop:
        """other: the part of a key that is the other end. intervals: all that is stored of some keys."""
        self._ends.look_up((row.job_uuid for row in rows), (uuid for row in rows for uuid in row.datasets))
        there = [row for row in rows if row.is_there(self._ends)]
        stretches = self._ends.stretches((row.job_uuid, row.datasets) for row in there)
        holding = defaultdict[Key_co, list[_Stored[Key_co]]](list)
        for row in there:
            is_shown = self._shows_hidden or not self._ends.is_hidden((row.job_uuid, *row.datasets))
            if is_shown and _stretch(row, stretches).has(self._before):
                holding[row.key].append(row)
        others = intervals(holding)
        edges = [_held(same, _stretch(same[0], stretches), others.get(key, ())) for key, same in holding.items()]
        return Hop(edges, len(there) >= most and len({row.key[other] for row in there}) >= most)

    def _intervals(self, keys: Iterable[_EdgeKey]) -> dict[_EdgeKey, list[Span]]:
        """All that is stored of edges to datasets of several names."""
        listed = [key for key in keys if self._ends.has_several_names(key[1])]
        if not listed:
            return {}
        asked = {
            "jobs": uuid_array(job for job, _, _ in listed),
            "datasets": uuid_array(dataset for _, dataset, _ in listed),
            "roles": [role for _, _, role in listed],
        }
        found = defaultdict[_EdgeKey, list[Span]](list)
        for row in every_row(self._connection, _Interval, "answers/graph/intervals", asked):
            found[row.job_uuid, row.dataset_uuid, row.role].append(Span(row.since_event, row.until_event))
        return found

    def _pair_intervals(self, keys: Iterable[_PairKey]) -> dict[_PairKey, list[Span]]:
        """All that is stored of pairs, as another description of columns may have them, too."""
        listed = list(keys)
        if not listed:
            return {}
        jobs, outputs, output_columns, inputs, input_columns = zip(*listed, strict=True)
        asked = {
            "jobs": uuid_array(jobs),
            "outputs": uuid_array(outputs),
            "output_columns": list(output_columns),
            "inputs": uuid_array(inputs),
            "input_columns": list(input_columns),
        }
        found = defaultdict[_PairKey, list[Span]](list)
        for row in every_row(self._connection, _PairInterval, "answers/graph/pair_intervals", asked):
            found[listed[row.number - 1]].append(Span(row.since_event, row.until_event))
        return found

    def evidence(self, edges: Sequence[HeldEdge]) -> list[Confirmation]:
        """Of each edge, in their order."""
        stretches = [(edge.job, edge.span.since, edge.span.until) for edge in edges]
        different = list(dict.fromkeys(stretches))
        asked = {
            "jobs": uuid_array(job for job, _, _ in different),
            "since": bytea_array(since for _, since, _ in different),
            "until": bytea_array(until for _, _, until in different),
        }
        rows = every_row(self._connection, _RunCount, "answers/graph/evidence", asked)
        found = {different[row.number - 1]: Confirmation(row.last_event, row.runs) for row in rows}
        return [found[stretch] for stretch in stretches]

    def flows(self, edges: Sequence[HeldEdge]) -> dict[int, Flow]:
        """By the places of these edges, which are of datasets and jobs."""
        asked = {
            "jobs": uuid_array(edge.job for edge in edges),
            "datasets": uuid_array(edge.dataset for edge in edges),
            "roles": [edge.role.value for edge in edges],
            "since": bytea_array(edge.span.since for edge in edges),
            "until": bytea_array(edge.span.until for edge in edges),
            "before": self._before,
        }
        return {flow.number - 1: flow for flow in every_row(self._connection, Flow, "answers/graph/flows", asked)}

    def nodes(self, places: Collection[Place]) -> Iterator[Node]:
        """In their order. A dataset that only a description of columns names has the name that it gives: none."""
        jobs = {place.uuid for place in places if place.kind is NodeKind.JOB}
        self._ends.look_up(jobs, {place.uuid for place in places} - jobs)
        for place in places:
            named = self._ends.thing(place.uuid)
            yield Node(
                place.id,
                place.kind,
                named.namespace if named else "",
                named.name if named else "",
                place.column,
            )

    def purged_before(self) -> datetime | None:
        """Up to which moment retention has deleted runs anywhere; None if nowhere."""
        return value_or_none(self._connection, datetime, "answers/graph/horizon")


def _stretch(row: _Stored[Key_co], stretches: Mapping[EndsOfEdge, Stretch]) -> Stretch:
    return stretches.get((row.job_uuid, row.datasets), UNBROKEN) if stretches else UNBROKEN


def _held(rows: Sequence[_Stored[Key_co]], stretch: Stretch, others: Iterable[Span]) -> HeldEdge:
    """Of the rows of one edge, and what else is stored of it."""
    span, *more = (Span(row.since_event, row.until_event) for row in rows)
    more += others
    return rows[0].held(stretch.part_of(joined(span, more) if more else span))


def runs_of_events(connection: Connection, orders: Collection[bytes]) -> dict[bytes, str]:
    """The runs of some events by their places in the order, of those that are of one."""
    found = every_row(connection, _RunOfEvent, "answers/graph/runs_of_events", {"orders": bytea_array(orders)})
    return {row.event_order: row.run_uuid for row in found}


def root_place(connection: Connection, root: Root) -> Place:
    """Raises WrongUsage, with the nearest name, if no event has named it so."""
    found = place_or_none(connection, root)
    if found is None:
        unknown = unknown_job if root.kind is NodeKind.JOB else unknown_dataset
        raise unknown(connection, root.namespace, root.name)
    return found


def place_or_none(connection: Connection, root: Root) -> Place | None:
    """None if no event has named the job or the dataset so. Raises WrongUsage if none has named the column."""
    namespace = formatted_namespace(root.namespace)
    if root.kind is NodeKind.JOB:
        found = value_or_none(connection, str, "answers/graph/job", {"namespace": namespace, "name": root.name})
    else:
        found = dataset_or_none(connection, namespace, root.name)
    if found is not None and root.column is not None and not has_column(connection, found, root.column):
        raise NotInStore(f"No event has named a column {root.column!r} of the dataset {root.name!r}.")
    return None if found is None else Place(root.kind, found, root.column)


def dataset_or_none(connection: Connection, namespace: str, name: str) -> str | None:
    """By any of its names; None if no event has named it so."""
    key = UUID(bytes=dataset_uuid(formatted_namespace(namespace), name))
    return value_or_none(connection, str, "answers/graph/dataset", {"key": key})


def has_column(connection: Connection, dataset: str, name: str) -> bool:
    """Whether any event has named such a column of the dataset."""
    return one_value(connection, bool, "answers/graph/has_column", {"dataset": dataset, "name": name})
