"""The main job: slices of raw events become staged parts, and each slice is merged in one transaction."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile

from lineage_core.declare.database_names import STAGING_SCHEMAS
from lineage_core.errors import NeedsOperator, SliceRefused
from lineage_core.ingest.store import keep_event_partitions
from lineage_core.model.tables.unreadable_facets import TABLE as UNREADABLE
from lineage_core.normalize.slices import LARGE, Slice, SliceSize, cut, slice_halves
from lineage_core.normalize.store.attempts import Staging, start_staging
from lineage_core.normalize.store.event_choices import (
    WATERMARK,
    EventChoice,
    EventsByArrival,
    EventsByTime,
    begin,
    finish,
    only_own,
    renumber_foreign,
)
from lineage_core.normalize.store.hourly_counts import refresh_hourly_counts
from lineage_core.normalize.store.merging import empty_staging, merging, quarantine_part, staging_schema, verdicts_stand
from lineage_core.normalize.store.staging import StagedPart, StagingTask
from lineage_core.own_lineage.application import OwnJobs
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import SECONDS_VALID, Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.tasks import FEW_ROWS, HERE, TaskRunner

MOST_QUARANTINED = 10
"""Events that cannot be taken in, for reasons that no check foresees, before a run asks for a person."""


@dataclass(frozen=True)
class NormalizationOutcome:
    """What a run did."""

    events: int = 0
    """Events whose rows were merged, repeats among them."""
    new: int = 0
    """Those of them that the ledger did not hold before. The others were known, or came twice: they change nothing."""
    quarantined: int = 0
    """Events that went to quarantine."""
    expired: int = 0
    """Events behind a horizon of retention, which the ledger does not hold. They change nothing."""
    unreadable_facets: int = 0
    """Facets of the events that were kept, but from which no table could be filled."""
    renumbered: int = 0
    """Events that had an arrival number from elsewhere, and count as arrived now."""
    slices: int = 0
    seconds: float = 0.0
    is_own: bool = False
    """Whether nothing but a few events of the platform's own jobs waited, so that the runner was not asked."""
    changed: Mapping[str, int] = field(default_factory=dict)
    """Rows that were inserted, updated or deleted, for each table where any were."""

    @property
    def taken(self) -> int:
        """Events that wait no longer, whatever became of them."""
        return self.events + self.quarantined + self.expired


NormalizeProgress = Callable[[Slice, NormalizationOutcome], None]
"""Called after each merge."""


def _silent(_slice: Slice, _outcome: NormalizationOutcome) -> None:
    """Reports nothing."""


def normalize(
    store: Store,
    runner: TaskRunner,
    *,
    interval: EventsByTime | None = None,
    slice_bytes: int | None = None,
    progress: NormalizeProgress = _silent,
    own: OwnJobs | None = None,
    patience: float = 2 * SECONDS_VALID,
) -> NormalizationOutcome:
    """Normalizes what has arrived and is not done, or the events of an interval, done or not.

    own: the platform's own jobs. Where only a few events of theirs wait, they are staged here, and the runner is not
    asked: else each run would start Spark for what the run before has reported.
    slice_bytes: text of events that one merge takes in; None to let it grow while merges are short.
    patience: how many seconds to wait for another run.

    Raises LeaseTaken while another run is at work, LeaseLost if this one was taken for dead, StoreUnavailable if the
    database goes away. All slices merged before an error stay merged. When all are, and the lease is given back, it
    refreshes the counts of events by hour, which may raise TryAgain or NeedsOperator, too.
    """
    started = time.monotonic()
    with store.session("lineage_jobs", autocommit=True) as connection:
        keep_event_partitions(connection)
        with held_lease(store, WATERMARK, patience=patience) as lease:
            run = _Run(store, connection, runner, lease, slice_bytes, progress, started, own)
            run.through(interval)
            run.leave_nothing()
        refresh_hourly_counts(connection)
        return run.outcome


@dataclass(frozen=True)
class _StagedSlice:
    """A slice that is being staged."""

    planned: Slice
    staging: Staging

    def wait(self) -> None:
        """Until it is staged, or is known not to be: that is raised again when its turn comes."""
        with suppress(SliceRefused):
            self.staging()


class _Run:
    """One run under its lease; each step is a transaction of its own on the one connection of the run."""

    def __init__(
        self,
        store: Store,
        connection: Connection,
        runner: TaskRunner,
        lease: Lease,
        slice_bytes: int | None,
        progress: NormalizeProgress,
        started: float,
        own: OwnJobs | None,
    ) -> None:
        self.outcome = NormalizationOutcome()
        self._store = store
        self._connection = connection
        self._given_runner = self._runner = runner
        self._own = own
        self._lease = lease
        self._size = SliceSize(slice_bytes)
        self._progress = progress
        self._started = started
        self._quarantined_so_far = 0

    def through(self, interval: EventsByTime | None) -> None:
        """The slices of the interval, or of what has arrived."""
        if interval is None:
            self._all_that_arrived()
        else:
            self._until_nothing_waits(interval)

    def leave_nothing(self) -> None:
        """Empties staging: the last slices stay there, as large as they are, until the next run would stage others."""
        for number in range(1, 1 + len(STAGING_SCHEMAS)):
            empty_staging(self._connection, self._lease, number)

    def _all_that_arrived(self) -> None:
        """What an interrupted run left is finished first, up to its target; then comes what arrived since."""
        self.outcome = replace(self.outcome, renumbered=renumber_foreign(self._connection, self._lease))
        is_resumed = True
        while is_resumed:
            reading = begin(self._connection, self._lease)
            self._choose_runner(reading)
            self._until_nothing_waits(reading)
            finish(self._connection, self._lease, reading)
            is_resumed = reading.is_resumed

    def _choose_runner(self, reading: EventsByArrival) -> None:
        is_own = self._own is not None and only_own(self._connection, reading, self._own, FEW_ROWS)
        self._runner = HERE if is_own else self._given_runner
        self.outcome = replace(self.outcome, is_own=is_own and (self.outcome.is_own or not self.outcome.slices))

    def _until_nothing_waits(self, reading: EventChoice) -> None:
        """While a slice is merged, by one connection, the next one is staged already."""
        begun = self._begin(reading, 1 + self.outcome.slices)
        while begun is not None:
            planned = begun.planned
            begun = self._take_in(reading, begun)
            reading = reading.behind(planned.until)

    def _take_in(self, reading: EventChoice, begun: _StagedSlice) -> _StagedSlice | None:
        """Merges a slice, and begins to stage the next; None if nothing waits."""
        planned = begun.planned
        try:
            parts = self._parts(reading, begun)
        except SliceRefused:
            self._isolate(reading, planned)
            return self._begin(reading.behind(planned.until), planned.number + 1)
        following = self._begin(reading.behind(planned.until), planned.number + 1)
        try:
            self._merge(reading, planned, parts)
        except SliceRefused:
            if following is not None:
                following.wait()
            self._isolate(reading, planned)
        return following

    def _parts(self, reading: EventChoice, begun: _StagedSlice) -> list[StagedPart]:
        parts = begun.staging()
        if verdicts_stand(self._connection, staging_schema(begun.planned.number), parts):
            return parts
        return self._start(reading, begun.planned)()

    def _begin(self, reading: EventChoice, number: int) -> _StagedSlice | None:
        """Cuts the next slice and begins to stage it; None if nothing waits."""
        planned = self._cut(reading, number)
        if planned is None:
            return None
        empty_staging(self._connection, self._lease, number)
        return _StagedSlice(planned, self._start(reading, planned))

    def _cut(self, reading: EventChoice, number: int) -> Slice | None:
        with self._connection.transaction(), closing(reading.waiting(self._connection)) as waiting:
            return cut(number, reading.after, waiting, self._size.bytes, lambda: self._runner.tasks)

    def _merge(self, reading: EventChoice, planned: Slice, parts: list[StagedPart]) -> None:
        begun = time.monotonic()
        with merging(self._connection, self._lease, staging_schema(planned.number), parts) as changed:
            reading.mark_done(self._connection, planned.until)
        self._size.note(planned, time.monotonic() - begun)
        self.outcome = replace(
            self.outcome,
            events=self.outcome.events + sum(part.events for part in parts),
            new=self.outcome.new + changed.new_events,
            quarantined=self.outcome.quarantined + sum(part.quarantined for part in parts),
            expired=self.outcome.expired + sum(part.expired for part in parts),
            unreadable_facets=self.outcome.unreadable_facets + sum(part.rows[UNREADABLE.name] for part in parts),
            slices=planned.number,
            seconds=time.monotonic() - self._started,
            changed=dict(sorted((changed.rows + Counter(self.outcome.changed)).items())),
        )
        self._progress(planned, self.outcome)

    def _isolate(self, reading: EventChoice, refused: Slice) -> None:
        """Takes a slice in by halves, down to the events that cannot be taken in, which go to quarantine.

        An event that is alone is tried once more. Each part has a process of its own, so that none dies of another's.
        Raises NeedsOperator where these events are many: then the events are hardly the cause.
        """
        for half in self._halves(reading, refused):
            why = self._refusal(reading, half)
            if why is not None and refused.events == 1:
                self._quarantine(reading, half, why)
            elif why is not None:
                self._isolate(reading, half)
            reading = reading.behind(half.until)

    def _refusal(self, reading: EventChoice, half: Slice) -> SliceRefused | None:
        """Stages and merges it; why it cannot be, if it cannot."""
        empty_staging(self._connection, self._lease, half.number)
        try:
            self._merge(reading, half, self._start(reading, half, apart=True)())
        except SliceRefused as refused:
            return refused
        return None

    def _halves(self, reading: EventChoice, refused: Slice) -> list[Slice]:
        with self._connection.transaction(), closing(reading.waiting(self._connection)) as waiting:
            events = list(takewhile(lambda event: event.position <= refused.until, waiting))
        return list(slice_halves(refused, reading.after, events, self._runner.tasks))

    def _quarantine(self, reading: EventChoice, refused: Slice, why: SliceRefused) -> None:
        self._quarantined_so_far += 1
        if self._quarantined_so_far > MOST_QUARANTINED:
            raise NeedsOperator(
                f"{str(why).splitlines()[0]}. {MOST_QUARANTINED} events could not be normalized, which are in"
                " quarantine now, and more cannot: the events are hardly the cause. Nothing more is merged until this"
                " is repaired: `lineage db check` says whether the database is what this release expects,"
                " `lineage quarantine show` where it failed"
            ) from why
        (part,) = refused.parts
        quarantine_part(self._connection, self._lease, reading, part, str(why))
        self.outcome = replace(self.outcome, quarantined=self.outcome.quarantined + 1, slices=refused.number)

    def _start(self, reading: EventChoice, planned: Slice, *, apart: bool = False) -> Staging:
        tasks = [
            StagingTask(
                store=self._store,
                schema=staging_schema(planned.number),
                epoch=self._lease.epoch,
                slice=planned.number,
                partition=number,
                statement=reading.part_statement,
                parameters=reading.part_parameters(part),
                apart=apart or part.largest > LARGE,
            )
            for number, part in enumerate(planned.parts)
        ]
        return start_staging(self._runner, tasks)
