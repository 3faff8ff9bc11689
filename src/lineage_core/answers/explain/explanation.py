"""The shape of the answer: causes in their order, each with its evidence, and what was not looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class CauseKind(StrEnum):
    """What can be the cause. The value names it in the answer."""

    INPUT_MISSING = "input-missing"
    INPUT_LATE = "input-late"
    INPUT_VERSION = "input-version"
    SCHEMA_CHANGE = "schema-change"
    CODE_CHANGE = "code-change"
    ENGINE_VERSION = "engine-version"
    PARAMETERS = "parameters"
    VOLUME = "volume"
    UPSTREAM_FAILED = "upstream-failed"
    UPSTREAM_OPEN = "upstream-open"
    EDGE_CHANGE = "edge-change"
    ERROR_MESSAGE = "error-message"


class EvidenceKind(StrEnum):
    """Whose id a piece of evidence has: `runs.uuid`, `dataset_versions.uuid`, `datasets.uuid`, `facets.uuid`, or
    `event_ledger.event_order` in hexadecimal digits."""

    RUN = "run"
    VERSION = "version"
    DATASET = "dataset"
    FACET = "facet"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A row of the store, and what it says."""

    kind: EvidenceKind
    id: str
    says: str


@dataclass(frozen=True, slots=True)
class Cause:
    """What may be the cause.

    subject: the dataset or job that it is about, `namespace/name`. run: the run that was compared. hops: how far
    upstream that is. weight: from 0 to 1; causes stand in the order of it. Raises ValueError without evidence.
    """

    kind: CauseKind
    subject: str
    run: UUID
    job: str
    hops: int
    weight: float
    evidence: tuple[Evidence, ...]

    def __post_init__(self) -> None:
        if not self.evidence:
            raise ValueError(f"{self.kind} of {self.subject} is without evidence")


@dataclass(frozen=True, slots=True)
class Explanation:
    """The causes, the likeliest first.

    complete: whether all was looked at that could be; `cut` says what was not, and why. next: runs upstream that were
    not looked at: explain them by themselves. compared_with: the last good run, None if there is none. as_of: the
    moment of the store that was read. waiting_since: when the first raw event arrived that is in no table yet. hops:
    how far upstream was looked. runs: how many were compared.
    """

    complete: bool
    causes: tuple[Cause, ...]
    run: UUID
    job: str
    state: str | None
    compared_with: UUID | None
    as_of: datetime
    waiting_since: datetime | None
    hops: int
    runs: int
    cut: tuple[str, ...] = ()
    next: tuple[UUID, ...] = field(default=())
