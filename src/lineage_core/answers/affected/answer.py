"""The answer, as values: what is affected, what is to be done again, and what could not be found out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from lineage_core.answers.graph.model import DatasetElsewhere

MOST_RUNS = 10_000
"""Runs of an answer, unless more or fewer are asked for."""

MOST_STARTED = 100
STARTED = "started"
"""In `cut`, if there are more. No limit and no page has these."""


@dataclass(frozen=True, order=True)
class DagRun:
    """A run of a DAG, as Airflow names it. `namespace` is that of the job: two Airflows may have DAGs of one name."""

    namespace: str
    dag: str
    run: str


@dataclass(frozen=True)
class Rerun:
    """A DAG run to do again, once those of `after`, which are in the same list, have succeeded.

    is_circular: its tasks also feed a DAG run that feeds it, so that the order among these is that of their first
    events, and once may not be enough.
    """

    namespace: str
    dag: str
    run: str
    after: tuple[DagRun, ...]
    is_circular: bool


@dataclass(frozen=True)
class RunOutsideAirflow:
    """A run to do again of which no facet names a DAG run, neither its own nor one of the runs that started it.

    before: the first DAG run of `reruns` that stands on what it makes, by way of others of its kind or not; None if
    none does.
    """

    run: UUID
    namespace: str
    job: str
    before: DagRun | None


@dataclass(frozen=True)
class AffectedRead:
    """A run, and a bad version that it read: the evidence that it is affected."""

    run: UUID
    version: UUID


@dataclass(frozen=True)
class AffectedColumn:
    """A column of an affected version that comes from something bad.

    column: its name; None for every column of the version.
    is_stated: whether column lineage states it, from the first bad version on. Else a version on the way states nothing
    of something bad that was read for it, so that each of its columns may be bad.
    """

    version: UUID
    column: str | None
    is_stated: bool


@dataclass(frozen=True)
class PurgedNearby:
    """What retention has deleted where something affected may have been.

    before: events up to this time may be gone, None if all that could be affected is later. runs, versions: those of
    which mentions are left, which were followed as far as these go. archives: URLs where raw events were put.
    """

    before: datetime | None
    runs: tuple[UUID, ...]
    versions: tuple[UUID, ...]
    archives: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return self.before is None and not self.runs and not self.versions


@dataclass(frozen=True)
class AffectedAnswer:
    """What read something bad.

    complete: whether all that is affected is here. Else `cut` says what is not, `next` where to go on, and `purged`
    what may be gone.
    as_of: the moment of the snapshot; waiting_since: when the first raw event arrived that is in no table yet.
    runs, versions: in the order in which they are reached, each once, without the one that was asked about.
    reruns: DAG runs of Airflow, what feeds before what reads; others: what is to be done again by other means. Both
    have the run, too, that made what is bad. Both are empty, as `columns` is, where `cut` names them.
    started: runs that the asked run started, whose versions name them and not it; at most `MOST_STARTED`, and `cut`
    names it if there are more.
    elsewhere: datasets with such versions that jobs of other stores read; None where there is one store.
    unasked_stores: those that could not be asked, and why.
    """

    complete: bool
    as_of: datetime
    waiting_since: datetime | None
    run: UUID | None
    version: UUID | None
    runs: tuple[UUID, ...]
    versions: tuple[UUID, ...]
    columns: tuple[AffectedColumn, ...]
    reruns: tuple[Rerun, ...]
    others: tuple[RunOutsideAirflow, ...]
    evidence: tuple[AffectedRead, ...]
    started: tuple[UUID, ...]
    purged: PurgedNearby
    cut: tuple[str, ...]
    next: str | None
    elsewhere: tuple[DatasetElsewhere, ...] | None = None
    unasked_stores: Mapping[str, str] = field(default_factory=dict)
