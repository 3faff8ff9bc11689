"""What an OpenLineage event says: the values that tables are filled from.

Facets stay the raw bytes of the document, so that numbers, key spelling and unknown members come out as they went in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeVar

import msgspec

from lineage_core.remembered import LatestOnly

RawFacets = Mapping[str, msgspec.Raw]
Description = TypeVar("Description")


class Kind(Enum):
    """What an event speaks of; the values are those of `lineage_events._event_type`."""

    RUN = "RUN_EVENT"
    JOB = "JOB_EVENT"
    DATASET = "DATASET_EVENT"


class RunState(Enum):
    """State of a run, as in `run_states.state`."""

    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"
    ABORTED = "ABORTED"


ENDINGS = {"complete": RunState.COMPLETED, "fail": RunState.FAILED, "abort": RunState.ABORTED}
"""Event types in lower case; no letter beyond ASCII is one of theirs in another case, so every locale has the same."""
STARTING = "start"
"""The event type, in lower case, that begins a run."""


class Rank(Enum):
    """Where events stand among those of the same instant."""

    START = 0
    RUNNING = 1
    ENDING = 2


class Role(Enum):
    """How an event names a dataset; the values stand in `dataset_mentions.role`.

    SQL has them as input_role() and output_role().
    """

    INPUT = 1
    OUTPUT = 2


class Moment(NamedTuple):
    """When an event says something: its time, and its place in the orders of events."""

    time: int
    """Microseconds since 1970, UTC."""
    order: bytes
    """For contests that the first event wins: 26 bytes, see `Event.order`."""
    newest_order: bytes
    """For contests that the last event wins, see `Event.newest_order`."""


@dataclass(frozen=True, slots=True)
class _Describable:
    """Several tables ask for what follows from it, so that is worked out once."""

    descriptions: dict[type[Any], Any] = field(
        default_factory=dict, init=False, compare=False, repr=False, kw_only=True
    )

    def described_by(self, kind: type[Description]) -> Description:
        """The description of that kind, a class of `lineage_core.model.meaning` that is made of this alone."""
        known: Description | None = self.descriptions.get(kind)
        if known is None:
            known = self.descriptions[kind] = kind(self)  # type: ignore[call-arg]
        return known


@dataclass(frozen=True, slots=True)
class Mention(_Describable):
    """What an event says of one thing.

    is_shared: all events that say the same, byte for byte and in the same place, have this very object, as long as it
    is remembered.
    """

    is_shared: bool = field(default=False, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class JobMention(Mention):
    """`namespace` as spelled, `formatted` as Marquez stores it."""

    namespace: str
    formatted: str
    name: str
    facets: RawFacets
    place: ClassVar[int] = 0
    path: ClassVar[str] = "$.job"


@dataclass(frozen=True, slots=True)
class RunMention(Mention):
    """`id` as spelled, `uuid` the 16 bytes that stand for it."""

    id: str
    uuid: bytes
    facets: RawFacets
    place: ClassVar[int] = 0
    path: ClassVar[str] = "$.run"


@dataclass(frozen=True, slots=True)
class DatasetMention(Mention):
    """`io_facets` are an input's input facets, an output's output facets.

    `place` is its number among the event's datasets, inputs first, from 0; `path` is where it stands in the document.
    `large` is one for all mentions of an event that are not shared: what is large is kept for one of them at a time.
    """

    role: Role
    place: int
    namespace: str
    formatted: str
    name: str
    facets: RawFacets
    io_facets: RawFacets
    path: str
    large: LatestOnly = field(default_factory=LatestOnly, compare=False, repr=False)


AnyMention: TypeAlias = RunMention | JobMention | DatasetMention


@dataclass(frozen=True)
class Event(_Describable):
    """One event. `time` is in microseconds since 1970, UTC; `digest`, of its text, is its identity.

    is_ahead: its time was judged, at receipt, to lie in the future; it is then neither the first nor the last where
    another event says the same.
    """

    kind: Kind
    time: int
    event_type: str | None
    producer: str
    run: RunMention | None
    job: JobMention | None
    datasets: tuple[DatasetMention, ...]
    digest: bytes
    is_ahead: bool
    large: LatestOnly = field(default_factory=LatestOnly, compare=False, repr=False)
    """What is large of one dataset at a time."""

    @property
    def mentions(self) -> Iterator[AnyMention]:
        """Of its run, its job and its datasets, in this order."""
        if self.run is not None:
            yield self.run
        if self.job is not None:
            yield self.job
        yield from self.datasets

    @cached_property
    def inputs(self) -> tuple[DatasetMention, ...]:
        return tuple(dataset for dataset in self.datasets if dataset.role is Role.INPUT)

    @cached_property
    def outputs(self) -> tuple[DatasetMention, ...]:
        return tuple(dataset for dataset in self.datasets if dataset.role is Role.OUTPUT)

    @cached_property
    def ending(self) -> RunState | None:
        """The state in which it ends its run, None if it does not."""
        return ENDINGS.get((self.event_type or "").lower()) if self.kind is Kind.RUN else None

    @cached_property
    def state(self) -> RunState | None:
        """The state that it brings its run to; None without an event type. An unknown type counts as RUNNING."""
        if self.kind is not Kind.RUN or self.event_type is None:
            return None
        return self.ending or RunState.RUNNING

    @cached_property
    def identity(self) -> bytes:
        """Time, lifecycle rank and digest, 25 bytes: its place among events with the same verdict on their time."""
        time = (self.time + (1 << 63)).to_bytes(8, "big")
        return time + bytes((_rank(self).value,)) + self.digest

    @cached_property
    def order(self) -> bytes:
        """Its place in the total order of events, 26 bytes to compare as they are: the verdict, then its identity.

        Events ahead of their receipt come behind all others, so that none of them is the first, nor came before
        another. Who asks for the last takes `newest_order`. Postgres compares `bytea` the same way.
        """
        return (AHEAD if self.is_ahead else NOT_AHEAD) + self.identity

    @cached_property
    def newest_order(self) -> bytes:
        """`order` for a contest that the last wins: there events ahead of their receipt come before all others."""
        return (_AHEAD_OF_NEWEST if self.is_ahead else NOT_AHEAD) + self.identity

    @cached_property
    def moment(self) -> Moment:
        return Moment(self.time, self.order, self.newest_order)


NOT_AHEAD, AHEAD = b"\x01", b"\x02"
"""The verdict, the first byte of `Event.order`. The SQL functions event_order() and is_ahead() are rendered from it."""

_AHEAD_OF_NEWEST = b"\x00"


def _rank(event: Event) -> Rank:
    if event.ending is not None:
        return Rank.ENDING
    return Rank.START if (event.event_type or "").lower() == STARTING else Rank.RUNNING
