"""Long migrations: workers take range after range until none is left, at the pace that operator and server allow."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from lineage_core.errors import LeaseLost, LeaseTaken, LineageError, NeedsOperator, TryAgain
from lineage_core.long_migrations.decisions.pace import Pace
from lineage_core.long_migrations.decisions.states import (
    AT_WORK,
    DONE,
    ClaimedRange,
    EventsOfRange,
    Failure,
    Step,
    Trouble,
)
from lineage_core.long_migrations.declared import LongMigration, long_migration
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.store.health import Health
from lineage_core.long_migrations.store.records import Status
from lineage_core.long_migrations.store.work import Permit, Worker, worker
from lineage_core.long_migrations.tables import State
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.slices import Slice
from lineage_core.normalize.store.event_choices import interval
from lineage_core.openlineage.instants import FIRST
from lineage_core.postgres.failures import lies_in_rows
from lineage_core.postgres.store import Store
from lineage_core.tasks import HERE, TaskRunner, Work

POLL_SECONDS = 0.2
"""How often a worker that waits looks whether it may go on."""

PATIENCE = 50
"""How often rows may be in use by others, one time after the other, before that counts as a failure."""


@dataclass(frozen=True)
class WorkerTask:
    """What a worker has to know."""

    store: Store
    migration: str
    number: int = 0


@dataclass(frozen=True)
class WorkerOutcome:
    """What a worker did."""

    rows: int = 0
    changed: int = 0
    transactions: int = 0
    tables: Mapping[str, int] = field(default_factory=dict)
    """Rows that it inserted, updated or deleted, for each table where any were."""


OutcomeReport = Callable[[WorkerOutcome], None]
"""Called with each worker that has come to its end."""


def _silent(_outcome: WorkerOutcome) -> None:
    """Reports nothing."""


def migrate(
    store: Store, name: str, runner: TaskRunner, workers: int = 1, *, report: OutcomeReport = _silent
) -> Status:
    """Runs the migration to its end; plans it, if that is not done. Returns at once if it has ended before.

    Raises NeedsOperator if it is paused, or cancelled meanwhile; TryAgain if workers failed: another run goes on.
    """
    state = records.plan_if_needed(store, name)
    if state is State.PAUSED:
        raise NeedsOperator(f"The migration {name!r} is paused; `lineage migration resume {name}` makes it continue")
    if state is State.CANCELLED:
        raise NeedsOperator(f"The migration {name!r} is cancelled; `lineage migration plan {name}` starts over")
    if state not in DONE:
        tasks = [WorkerTask(store, name, number) for number in range(workers)]
        for outcome in list(runner.results(WORKING, tasks)):
            report(outcome)
    reached = records.status(store, name)
    if State(reached.state) not in DONE:
        raise NeedsOperator(f"The migration {name!r} did not reach its end: it is {reached.state}")
    return reached


def work(task: WorkerTask) -> WorkerOutcome:
    """One worker, to the end of the migration, or until it is cancelled."""
    migration = long_migration(task.migration)
    with worker(task.store, migration) as at_work:
        shift = _Shift(task.store, migration, at_work, Health(task.store, at_work.connection, migration))
        shift.through()
        return shift.outcome


WORKING = Work(
    work,
    failed="A worker failed; what it did stays done, and a run continues from there",
    what_stays="what was done stays done",
)
"""A task that is run again takes up what its predecessor left."""


class _End(Exception):
    """The migration is not to go on with this range."""


class _Shift:
    """What one worker remembers: how fast it was, and what it did."""

    def __init__(self, store: Store, migration: LongMigration, at_work: Worker, health: Health) -> None:
        self.outcome = WorkerOutcome()
        self._store = store
        self._migration = migration
        self._worker = at_work
        self._health = health
        self._pace = Pace()
        self._speed = Pace()
        self._rows = 0
        self._in_the_way = 0
        self._of_this_run = Counter[str]()
        self._looked_at = float("-inf")
        self._ended_at = time.monotonic()

    def through(self) -> None:
        while self._may_go_on() is not None:
            claimed = self._worker.claim()
            if claimed is not None:
                self._work_off(claimed)
            elif self._worker.is_anything_left():
                time.sleep(POLL_SECONDS)
            else:
                self._worker.finish()
                return

    def _may_go_on(self) -> Permit | None:
        """Waits while it is paused or held; None if the work has ended."""
        while True:
            permit = self._worker.permit()
            if permit.state not in AT_WORK:
                return None
            if permit.state is not State.PAUSED and not self._is_held(permit):
                return permit
            time.sleep(POLL_SECONDS)

    def _is_held(self, permit: Permit) -> bool:
        """By this worker's own look at the server where one is due, otherwise by what others have seen."""
        if not self._must_look(permit):
            return permit.is_held
        self._looked_at = time.monotonic()
        return bool(self._health.judge(permit.settings))

    def _must_look(self, permit: Permit) -> bool:
        is_due = time.monotonic() - self._looked_at > permit.settings.check_seconds
        return permit.must_look or (is_due and not permit.is_held)

    def _work_off(self, claimed: ClaimedRange) -> None:
        """The range, until it is done, fails or goes to another."""
        if claimed.has_killed:
            with suppress(LeaseLost):
                settings = self._worker.permit().settings
                self._worker.fail(claimed, "Workers that had this range died, one after the other", settings)
            return
        remaining: ClaimedRange | None = claimed
        try:
            with suppress(LeaseLost):
                while remaining is not None:
                    permit = self._may_go_on()
                    if permit is None:
                        raise _End
                    remaining = self._attempt(remaining, permit)
        except _End:
            self._worker.give_back(claimed)

    def _attempt(self, claimed: ClaimedRange, permit: Permit) -> ClaimedRange | None:
        """One transaction; what is left of the range, None if that is no longer this worker's."""
        asked = self._pace.next_rows(self._rows or permit.settings.start_rows, permit.settings.bounds)
        outcome = self._take(claimed, asked, permit)
        if isinstance(outcome, Failure):
            return self._failed(claimed, outcome, permit)
        self._learn(asked, outcome, permit)
        return None if outcome.is_last else claimed.moved_on(outcome)

    def _take(self, claimed: ClaimedRange, asked: int, permit: Permit) -> Step | Failure:
        if not self._migration.normalizes:
            return self._worker.step(claimed, asked, permit.settings, self._speed)
        started = time.monotonic()
        self._of_this_run = Counter[str]()
        chosen = self._worker.chosen(claimed, asked, permit.settings)
        if isinstance(chosen, Failure):
            return chosen
        failure = self._normalized(claimed, chosen)
        seconds = time.monotonic() - started
        return failure or self._worker.record(claimed, chosen, asked, permit.settings, seconds, self._speed)

    def _normalized(self, claimed: ClaimedRange, chosen: EventsOfRange) -> Failure | None:
        """The main job's work on the chosen events."""
        if chosen.until is None or not chosen.waiting:
            return None
        events = interval(FIRST if chosen.since is None else chosen.since, chosen.until)
        try:
            normalize(self._store, HERE, interval=events, progress=self._after_a_slice)
        except (LeaseTaken, LeaseLost) as taken:
            return Failure(Trouble.IN_USE, str(taken))
        except NeedsOperator as wrong:
            if not lies_in_rows(wrong):
                self._worker.give_back(claimed)
                raise
            return Failure(Trouble.WRONG, str(wrong))
        return None

    def _after_a_slice(self, _done: Slice, so_far: NormalizationOutcome) -> None:
        """What is merged stays, whatever becomes of the rest."""
        self._count(Counter(so_far.changed) - self._of_this_run)
        self._of_this_run = Counter(so_far.changed)
        if self._worker.permit().state not in AT_WORK:
            raise _End

    def _learn(self, asked: int, step: Step, permit: Permit) -> None:
        bounds = permit.settings.bounds
        self._in_the_way = 0
        self._rows = asked
        self._pace = self._pace.after(asked, step.looked_at, step.seconds, bounds)
        self._rest(permit, step.seconds)
        now = time.monotonic()
        self._speed = self._speed.after(step.looked_at, step.looked_at, now - self._ended_at, bounds)
        self._ended_at = now
        self.outcome = replace(
            self.outcome,
            rows=self.outcome.rows + step.looked_at,
            changed=self.outcome.changed + step.changed,
            transactions=self.outcome.transactions + 1,
        )
        self._count(step.tables)

    def _count(self, tables: Mapping[str, int]) -> None:
        self.outcome = replace(self.outcome, tables=Counter(self.outcome.tables) + Counter(tables))

    def _rest(self, permit: Permit, worked: float) -> None:
        """A little at a time: what an operator says meanwhile acts at once."""
        began = time.monotonic()
        while permit.state is State.RUNNING:
            left = began + permit.settings.nice * worked - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, POLL_SECONDS))
            permit = self._worker.permit()

    def _failed(self, claimed: ClaimedRange, failure: Failure, permit: Permit) -> ClaimedRange | None:
        if failure.trouble is Trouble.IN_USE and self._in_the_way < PATIENCE:
            self._in_the_way += 1
            time.sleep(POLL_SECONDS)
            return claimed
        if failure.trouble is Trouble.TOO_SLOW:
            self._pace = self._pace.cut_short()
        self._in_the_way = 0
        self._worker.fail(claimed, failure.error, permit.settings)
        return None


ReportStatus = Callable[[Status], None]


def watch(store: Store, name: str, tell: ReportStatus, is_over: Callable[[], bool], seconds: float = 1.0) -> None:
    """Reports the status again and again until it is over; what cannot be read for a moment is reported later.

    Any other error ends the reports alone: the work meets it itself, or goes on without them.
    """
    while not is_over():
        try:
            for status in records.statuses(store, name):
                tell(status)
        except TryAgain:
            pass
        except LineageError:
            return
        time.sleep(seconds)
