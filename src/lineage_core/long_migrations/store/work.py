"""A worker of a long migration: it takes a range, and works it off in short transactions of its own."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from lineage_core import statements
from lineage_core.errors import LeaseLost, NeedsOperator, StoreUnavailable
from lineage_core.long_migrations.decisions.pace import Pace
from lineage_core.long_migrations.decisions.ranges import INTERRUPTIONS
from lineage_core.long_migrations.decisions.settings import DEFAULTS, MigrationSettings, from_json
from lineage_core.long_migrations.decisions.states import ClaimedRange, EventsOfRange, Failure, Step, Trouble
from lineage_core.long_migrations.declared import LongMigration
from lineage_core.long_migrations.store.failures import Failures
from lineage_core.long_migrations.store.records import WORKERS, alive, keyed, move, note
from lineage_core.long_migrations.tables import State
from lineage_core.normalize.store.merging import changed_rows
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.failures import OF_THE_DATABASE, OF_THE_SERVER, sqlstate_class
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute, one_value, row_of_script, row_or_none, value_or_none

_IN_USE = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
)

T = TypeVar("T")


class _StandsStill(Exception):
    """A step ended where it began, or before."""


@dataclass(frozen=True)
class Permit:
    """What an operator, or the server's health, lets workers do now."""

    state: State
    settings: MigrationSettings
    is_held: bool
    must_look: bool
    """Whether a hold has lasted its time, so that the server is to be looked at again."""


def _permit(state: str, settings: dict[str, Any], is_held: bool, must_look: bool) -> Permit:
    return Permit(State(state), from_json(settings), is_held, must_look)


@dataclass(frozen=True)
class _ClaimedRow(ClaimedRange):
    """A range as this worker got it."""

    was_running: bool
    """Whether it is that of a worker which has died."""


@dataclass(frozen=True)
class _StepRow:
    """What the statements of a step say of the rows that they have worked on."""

    last: str | None
    looked_at: int
    changed: int


@dataclass(frozen=True)
class _MigrationRow:
    """The migration as a worker found it."""

    state: str
    planned_at: datetime


@contextmanager
def worker(store: Store, migration: LongMigration) -> Iterator[Worker]:
    """A worker with a session of its own; its ranges are free as soon as that ends, however it ends."""
    with store.session("lineage_jobs", application_name="lineage migration", autocommit=True) as connection:
        run_script(connection, statements.named("long_migrations/session"))
        if migration.normalizes:
            run_script(connection, statements.named("long_migrations/session_beside_a_run"))
        at_work = Worker(connection, migration)
        yield at_work
        at_work.leave()


class Worker:
    def __init__(self, connection: Connection, migration: LongMigration) -> None:
        self.connection = connection
        self._migration = migration
        self._failures = Failures(connection, migration)
        self.number = self._register()
        self._planned_at = self._start()
        run_script(connection, statements.named(f"long_migrations/{migration.name}/session"))

    def permit(self) -> Permit:
        """What is allowed now. What was planned anew is not this worker's any more: its own plan is cancelled."""
        plan = {"migration": self._migration.name, "planned_at": self._planned_at}
        permit = row_or_none(self.connection, _permit, "long_migrations/permit", plan)
        return permit or Permit(State.CANCELLED, DEFAULTS, False, False)

    def claim(self) -> ClaimedRange | None:
        """A range that is free; None if there is none now."""
        with self.connection.transaction():
            wanted = {
                "worker": self.number,
                "migration": self._migration.name,
                "alive": alive(self.connection),
                "interruptions": INTERRUPTIONS,
            }
            taken = row_or_none(self.connection, _ClaimedRow, "long_migrations/claim", wanted)
            if taken and taken.was_running:
                note(self.connection, self._migration.name, "interrupted", "its worker is gone", taken.id)
        return taken

    def step(self, claimed: ClaimedRange, rows: int, settings: MigrationSettings, speed: Pace) -> Step | Failure:
        """One transaction: the next rows of the range, and that they are done.

        Raises LeaseLost if the range went to another worker, StoreUnavailable if the database went away.
        """
        started = time.monotonic()

        def work() -> Step:
            before = changed_rows(self.connection)
            worked = self._run(_StepRow, claimed, rows)
            tables = changed_rows(self.connection) - before
            is_last = claimed.is_done_by(rows, worked.last, worked.looked_at)
            seconds = time.monotonic() - started
            return self._recorded(claimed, Step(**vars(worked), seconds=seconds, is_last=is_last, tables=tables), speed)

        done = self._tried(claimed, settings, work)
        return done if isinstance(done, Failure) else replace(done, seconds=time.monotonic() - started)

    def chosen(self, claimed: ClaimedRange, rows: int, settings: MigrationSettings) -> EventsOfRange | Failure:
        """The next rows of a range whose work is done outside of its transaction. Raises as a step does."""
        return self._tried(claimed, settings, lambda: self._run(EventsOfRange, claimed, rows))

    def record(
        self,
        claimed: ClaimedRange,
        chosen: EventsOfRange,
        rows: int,
        settings: MigrationSettings,
        seconds: float,
        speed: Pace,
    ) -> Step | Failure:
        """Says that these rows are done. Raises LeaseLost if the range went to another worker, who does them again."""
        is_last = claimed.is_done_by(rows, chosen.last, chosen.looked_at)
        done = Step(chosen.last, chosen.looked_at, chosen.waiting, seconds, is_last)
        return self._tried(claimed, settings, lambda: self._recorded(claimed, done, speed))

    def fail(self, claimed: ClaimedRange, error: str, settings: MigrationSettings) -> None:
        """Writes what went wrong, and what becomes of the range.

        Raises NeedsOperator if so many rows failed, each alone, that it is hardly the rows; then all work has ended.
        """
        with self.connection.transaction():
            self._fence(claimed)
            self._failures.settle(claimed, error)
            is_hopeless = self._failures.cancel_if_hopeless(error, settings)
        if is_hopeless:
            raise NeedsOperator(
                f"{settings.largest_quarantine} rows of {self._migration.name!r} failed, each alone, the last one with:"
                f" {error}. The rows are hardly the cause, so the migration is cancelled. Repair that, and plan it"
                f" again. If they are, `lineage migration set {self._migration.name} largest_quarantine 0`"
                " before it runs. Until then, `lineage migration cancel` builds again what was set aside"
            )

    def give_back(self, claimed: ClaimedRange) -> None:
        """Leaves the range to others, as it is."""
        execute(self.connection, "long_migrations/give_back", {"id": claimed.id, "worker": self.number})

    def is_anything_left(self) -> bool:
        of = {"migration": self._migration.name}
        return one_value(self.connection, bool, "long_migrations/is_anything_left", of)

    def finish(self) -> None:
        """Says that every range is done, if it is not stated yet."""
        with self.connection.transaction():
            of = {"migration": self._migration.name, "running": State.RUNNING.value}
            if execute(self.connection, "long_migrations/finish", of):
                move(self.connection, self._migration.name, State.FINISHED)

    def leave(self) -> None:
        """The worker is not counted any more. Its session, which the server ends a moment later, would be counted."""
        self.connection.execute("SELECT pg_advisory_unlock(%s, %s)", [WORKERS, self.number])

    def _register(self) -> int:
        """The lock is held before anybody can see the worker, so that it never looks dead."""
        with self.connection.transaction():
            registered = {"migration": self._migration.name, "host": socket.gethostname()}
            number = one_value(self.connection, int, "long_migrations/register_worker", registered)
            self.connection.execute("SELECT pg_advisory_lock(%s, %s)", [WORKERS, number])
        return number

    def _start(self) -> datetime | None:
        """Says that the migration is at work; when it was planned."""
        with self.connection.transaction():
            begun = row_or_none(
                self.connection, _MigrationRow, "long_migrations/start", {"migration": self._migration.name}
            )
            if begun is None:
                return None
            if State(begun.state) is State.PLANNED:
                move(self.connection, self._migration.name, State.RUNNING, f"worker {self.number}")
            return begun.planned_at

    def _tried(self, claimed: ClaimedRange, settings: MigrationSettings, act: Callable[[], T]) -> T | Failure:
        """What the act gives, in one transaction that keeps others out of the range."""
        try:
            with self.connection.transaction():
                self._limit(settings)
                self._fence(claimed)
                return act()
        except _StandsStill as wrong:
            return Failure(Trouble.WRONG, str(wrong))
        except psycopg.Error as error:
            return self._failure(claimed, error)

    def _failure(self, claimed: ClaimedRange, error: psycopg.Error) -> Failure:
        """Raises what no other range would be spared, after the range was given back."""
        is_usable = self.connection.info.transaction_status is TransactionStatus.IDLE
        if self.connection.broken or not is_usable:
            raise StoreUnavailable(f"The database ended the work: {error}") from error
        message = str(error.diag.message_primary or error)
        if isinstance(error, _IN_USE):
            return Failure(Trouble.IN_USE, message)
        self._forget()
        if isinstance(error, psycopg.errors.QueryCanceled):
            return Failure(Trouble.TOO_SLOW, message)
        if sqlstate_class(error) in OF_THE_SERVER:
            self.give_back(claimed)
            raise StoreUnavailable(f"The database cannot do the work now: {message}") from error
        if sqlstate_class(error) in OF_THE_DATABASE:
            self.give_back(claimed)
            raise NeedsOperator(
                f"Postgres refuses the work of {self._migration.name!r}: {message}. `lineage db check` says whether the"
                " database is what this release expects; the work takes the role lineage_jobs"
            ) from error
        return Failure(Trouble.WRONG, message)

    def _forget(self) -> None:
        """What the session has kept may be wrong after a failure."""
        run_script(self.connection, statements.named(f"long_migrations/{self._migration.name}/forget"))

    def _limit(self, settings: MigrationSettings) -> None:
        self.connection.execute(
            "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true)",
            [f"{settings.lock_timeout_ms}ms", f"{settings.statement_timeout_ms}ms"],
        )

    def _fence(self, claimed: ClaimedRange) -> None:
        """Keeps others out of the range until the transaction ends. Raises LeaseLost if it went to another."""
        own = {"id": claimed.id, "worker": self.number}
        if value_or_none(self.connection, int, "long_migrations/fence", own) is None:
            raise LeaseLost(
                f"Range {claimed.id} of {self._migration.name!r} went to another worker; this one continues elsewhere"
            )

    def _run(self, make: Callable[..., T], claimed: ClaimedRange, rows: int) -> T:
        script = f"long_migrations/{self._migration.name}/step"
        return row_of_script(
            self.connection, make, script, {"after": claimed.after, "until": claimed.until, "rows": rows}
        )

    def _recorded(self, claimed: ClaimedRange, step: Step, speed: Pace) -> Step:
        self._write_progress(claimed, step)
        self._show_life(step, speed)
        return step

    def _write_progress(self, claimed: ClaimedRange, step: Step) -> None:
        progress = keyed("long_migrations/progress", self._migration)
        if not execute(self.connection, progress, vars(step) | {"id": claimed.id}):
            raise _StandsStill(f"The step behind {claimed.after} ends at {step.last}: it would be repeated for ever")

    def _show_life(self, step: Step, speed: Pace) -> None:
        """What the work took; and the transaction, in which others may have had to wait."""
        shown = {
            "worker": self.number,
            "rows": step.looked_at,
            "rows_per_second": speed.rate,
            "spread": speed.spread,
            "seconds": step.seconds,
        }
        execute(self.connection, "long_migrations/show_life", shown)
