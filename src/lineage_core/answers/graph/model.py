"""What a lineage graph consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple


class NodeKind(StrEnum):
    __hash__ = str.__hash__  # Enum has one of its own, in Python.

    DATASET = "dataset"
    JOB = "job"
    COLUMN = "column"


class EdgeKind(StrEnum):
    __hash__ = str.__hash__

    READS = "reads"
    """From a dataset to the job that reads it."""
    WRITES = "writes"
    """From a job to the dataset that it writes."""
    DERIVES = "derives"
    """From a column to one that is made of it."""


class Place(NamedTuple):
    """What a node stands for: a dataset, a job, or a column of a dataset. A tuple, as is all that is read and walked
    once for each edge: a frozen dataclass takes three times as long to make.

    uuid: in `datasets` or `jobs`, as text: for each edge a graph hashes ids some thirty times, and a UUID does that in
    Python, which was a fifth of a graph's own work.
    """

    kind: NodeKind
    uuid: str
    column: str | None = None

    @property
    def id(self) -> str:
        """The same in every answer of a store."""
        return self.uuid if self.column is None else f"{self.uuid}/{self.column}"

    @property
    def in_order(self) -> tuple[str, str]:
        return self.uuid, self.column or ""


@dataclass(frozen=True)
class Node:
    """id: of its Place. column: None unless it is one."""

    id: str
    kind: NodeKind
    namespace: str
    name: str
    column: str | None = None


@dataclass(frozen=True)
class GraphEvent:
    """An event that made an edge hold, or ended it.

    id: its place in the order of events, `event_order` in `event_ledger`, in hexadecimal digits. run: its run; None of
    an event of no run, or where retention has deleted it.
    """

    id: str
    time: datetime
    run: str | None


@dataclass(frozen=True)
class Edge:
    """It holds for since <= T < until, by the time of events.

    since: of the event from which on it held without a break. until: of the event that ended it; None while it holds.
    last_seen: of the last event that confirmed it. runs: how many runs did, of those that retention has not deleted.
    run, version: the last run that confirmed it by the moment of the graph, and the version of the dataset that this
    run read or wrote; None unless they are asked for, and where nothing is left of them. since_event, until_event: the
    places in the order of events of those two. event: of the difference of two graphs, what made this edge come or go;
    by_rename: whether it went with the old name of a dataset and came with the new one.
    """

    from_: str
    to: str
    kind: EdgeKind
    since: datetime
    until: datetime | None
    last_seen: datetime | None
    runs: int
    run: str | None = None
    version: str | None = None
    since_event: bytes | None = None
    until_event: bytes | None = None
    event: GraphEvent | None = None
    by_rename: bool = False


@dataclass(frozen=True)
class DatasetRename:
    """A dataset of two moments. from_: under its name at the earlier; to: at the later. Their ids are one where a
    symlink joins the two names. event: what shows it; its run renamed the dataset, or was the first with the new name.
    """

    from_: Node
    to: Node
    event: GraphEvent


@dataclass(frozen=True)
class DatasetElsewhere:
    """A dataset of a graph that another store knows.

    id: of the dataset in the graph. namespace, name: what that store calls it. by_symlink: whether a symlink is what
    joins the two, here or there. goes_on: whether jobs of that store read or write it, as far as was asked.
    """

    id: str
    store: str
    namespace: str
    name: str
    by_symlink: bool
    goes_on: bool


@dataclass(frozen=True)
class Graph:
    """complete: whether the answer is all that was asked for, with the pages before it. next: where it goes on; None at
    its end.

    at: the moment that it is of. purged_before: retention has deleted runs from before this moment, so that what held
    only then is in no answer; None if the graph is of a later moment. waiting_since: when the first raw event arrived
    that is in no table yet. known_at: when it was known so, None for now; published_at: of the publication that says
    so. has_lost_descriptions: retention has deleted descriptions of columns that were known then. ends_at_depth: edges
    may lead on from where the depth that was asked for ends. elsewhere: datasets of this answer that other stores know;
    None where there is one store. unasked_stores: those that could not be asked, and why.
    """

    complete: bool
    at: datetime
    next: str | None
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    purged_before: datetime | None = None
    waiting_since: datetime | None = None
    known_at: datetime | None = None
    published_at: datetime | None = None
    has_lost_descriptions: bool = False
    ends_at_depth: bool = False
    elsewhere: tuple[DatasetElsewhere, ...] | None = None
    unasked_stores: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Root:
    """The dataset, job or column that a graph is asked for, by any name that the store knows."""

    kind: NodeKind
    namespace: str
    name: str
    column: str | None = None
