"""What a run was, so that two can be compared: its inputs with versions, outputs, facets, figures, state and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any
from uuid import UUID

COMPLETED, FAILED, ABORTED = "COMPLETED", "FAILED", "ABORTED"
DROPPED = ("DROP", "TRUNCATE")
"""Lifecycle states of a dataset that has nothing to read."""


@dataclass(frozen=True, slots=True)
class UsedVersion:
    """A version that a run read or wrote. Times are in UTC.

    written_by: the run that wrote it, None if none did. came_at: when that run completed. is_written: false if a first
    reader made it. first_order: place in the order of events of the mention.
    """

    uuid: UUID
    written_by: UUID | None
    writer_job: UUID | None
    came_at: datetime
    lifecycle_state: str
    is_written: bool
    first_at: datetime
    first_order: bytes


@dataclass(frozen=True, slots=True)
class UsedDataset:
    """A dataset that a run read or wrote, with its versions in the order in which the run named them."""

    uuid: UUID
    name: str
    versions: tuple[UsedVersion, ...]

    @property
    def version(self) -> UsedVersion:
        """The one that the run began with."""
        return self.versions[0]


@dataclass(frozen=True, slots=True)
class HeldFacet:
    """The last facet of a name that a run, or its job by that run, has. event: the order of its event, in hexadecimal
    digits."""

    subject: str
    name: str
    uuid: UUID
    event: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that a facet gives of what a run read or wrote."""

    dataset: UUID
    is_output: bool
    name: str
    value: float
    facet: UUID

    @property
    def key(self) -> tuple[UUID, bool, str]:
        return self.dataset, self.is_output, self.name


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """The error message of a run that failed."""

    run: UUID
    job: str
    job_uuid: UUID | None
    failed_at: datetime
    facet: UUID
    message: str


@dataclass(frozen=True, slots=True)
class SchemaVerdict:
    """What the rules say of a schema that came between the versions that two runs read, or that a run wrote."""

    dataset: UUID
    version: UUID
    event: str
    current_from: datetime
    verdict: str
    changes: Sequence[Mapping[str, Any]]
    refusals: Sequence[Mapping[str, Any]]
    written_by: UUID | None


@dataclass(frozen=True, slots=True)
class DescribedRun:
    """What a run was. job: `namespace/name`. Times are in UTC. names_more: it names more datasets than these. left_out:
    what of it is not looked at, in words."""

    uuid: UUID
    job_uuid: UUID | None
    job: str
    state: str | None
    began_at: datetime
    ended_at: datetime | None
    nominal_start: datetime | None
    nominal_end: datetime | None
    location: str | None
    inputs: Mapping[UUID, UsedDataset] = field(default_factory=dict)
    outputs: Mapping[UUID, UsedDataset] = field(default_factory=dict)
    facets: Mapping[tuple[str, str], HeldFacet] = field(default_factory=dict)
    measures: Mapping[tuple[UUID, bool, str], Measure] = field(default_factory=dict)
    names_more: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def has_failed(self) -> bool:
        return self.state in (FAILED, ABORTED)

    @property
    def is_open(self) -> bool:
        """By the events that are in the tables."""
        return self.state not in (COMPLETED, FAILED, ABORTED)


@dataclass(frozen=True, slots=True)
class AwaitedRun:
    """A run of the job that usually writes an input, which should have written a new version of it."""

    dataset: UUID
    run: DescribedRun


@dataclass(frozen=True)
class ComparedRun:
    """A run beside the good runs of its job before it, the last one first.

    upstream: the runs that wrote what it read, and those that it waited for. contents: of the facets that are compared
    member by member; one that is too large is not among them. failures: error messages of other runs, the last first.
    """

    run: DescribedRun
    history: tuple[DescribedRun, ...]
    hops: int
    verdicts: tuple[SchemaVerdict, ...] = ()
    awaited: tuple[AwaitedRun, ...] = ()
    contents: Mapping[UUID, Any] = field(default_factory=dict)
    error: ErrorReport | None = None
    failures: tuple[ErrorReport, ...] = ()
    upstream: tuple[UUID, ...] = ()

    @property
    def baseline(self) -> DescribedRun | None:
        """The last good run before it."""
        return self.history[0] if self.history else None

    @property
    def is_whole(self) -> bool:
        """Whether all datasets of all of these runs are known: only then is one that is not among them missing."""
        return not any(run.names_more for run in (self.run, *self.history))

    @cached_property
    def stale(self) -> tuple[UsedDataset, ...]:
        """Inputs of which it began with the version that the last good run read, though runs usually read another."""
        return tuple(used for used in self.run.inputs.values() if is_stale(used, self.history))


def is_stale(used: UsedDataset, history: Sequence[DescribedRun]) -> bool:
    """Whether a version has been read before, while most of the runs before read a new one each."""
    if not history:
        return False
    before = history[0].inputs.get(used.uuid)
    if before is None or used.version.uuid not in {version.uuid for version in before.versions}:
        return False
    return is_usually_new(used.uuid, history)


def is_usually_new(dataset: UUID, history: Sequence[DescribedRun]) -> bool:
    """Whether most runs read another version than the one before them."""
    return freshness(dataset, history) >= _USUALLY


def freshness(dataset: UUID, history: Sequence[DescribedRun]) -> float:
    """How many of the runs read another version than the one before them, from 0 to 1; 0.5 of too few to say."""
    read = [run.inputs[dataset].version.uuid for run in history if dataset in run.inputs]
    if len(read) < _FEW:
        return _UNKNOWN
    return sum(one != other for one, other in pairwise(read)) / (len(read) - 1)


def middle_of(durations: Sequence[timedelta]) -> timedelta:
    """The median; of an even number the higher of the two in the middle."""
    return sorted(durations)[len(durations) // 2]


_USUALLY = 0.7
_FEW = 3
_UNKNOWN = 0.5
