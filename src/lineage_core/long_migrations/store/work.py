"""A worker of a long migration: it takes a range, and works it off in short transactions of its own."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

import psycopg
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow

from lineage_core import statements
from lineage_core.errors import LeaseLost, NeedsOperator, StoreUnavailable
from lineage_core.long_migrations.declared import LongMigration
from lineage_core.long_migrations.plan.pace import Pace
from lineage_core.long_migrations.plan.ranges import INTERRUPTIONS
from lineage_core.long_migrations.plan.settings import DEFAULTS, Settings, from_json
from lineage_core.long_migrations.plan.states import State
from lineage_core.long_migrations.plan.steps import Chosen, Claimed, Failure, Step, Trouble
from lineage_core.long_migrations.store.ledger import WORKERS, alive, move, note
from lineage_core.long_migrations.store.mishaps import Mishaps
from lineage_core.postgres.connection import Connection, connect, run_script
from lineage_core.postgres.failures import OF_THE_DATABASE, OF_THE_SERVER, explained, sqlstate_class

_IN_USE = (
    psycopg.errors.LockNotAvailable,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.SerializationFailure,
)

_SESSION = """
SET idle_in_transaction_session_timeout = '60s';
SET idle_session_timeout = '5min';
SET enable_seqscan = off;
SET jit = off;
"""
"""A worker that stands still loses its session, and so its range."""

_SESSION_BESIDE_A_RUN = "SET idle_session_timeout = '1h';"
"""Where the main job does the work, the worker's own session has nothing to do meanwhile."""

_PROGRESS = """
UPDATE migration_ranges
SET cursor_key = coalesce(%(last)s::text, cursor_key),
    changed = changed + %(changed)s,
    done = CASE WHEN %(is_last)s THEN rows ELSE least(done + %(looked_at)s, rows) END,
    state = CASE WHEN %(is_last)s THEN 'done' ELSE state END,
    attempts = 0,
    interruptions = 0
WHERE id = %(id)s AND coalesce(coalesce(cursor_key, after_key)::{kind} < %(last)s::text::{kind}, true)
"""

T = TypeVar("T")


class _StandsStill(Exception):
    """A step ended where it began, or before."""


@dataclass(frozen=True)
class Permit:
    """What an operator, or the server's health, lets workers do now."""

    state: State
    settings: Settings
    is_held: bool
    must_look: bool
    """Whether a hold has lasted its time, so that the server is to be looked at again."""


@contextmanager
def worker(dsn: str, migration: LongMigration) -> Iterator[Worker]:
    """A worker with a session of its own; its ranges are free as soon as that ends, however it ends."""
    with explained("lineage_jobs"), connect(dsn, application_name="lineage migration", autocommit=True) as connection:
        run_script(connection, _SESSION)
        if migration.normalizes:
            run_script(connection, _SESSION_BESIDE_A_RUN)
        yield Worker(connection, migration)


class Worker:
    def __init__(self, connection: Connection, migration: LongMigration) -> None:
        self.connection = connection
        self._migration = migration
        self._script = statements.named(f"migrate/{migration.name}/step")
        self._mishaps = Mishaps(connection, migration)
        self.number = self._register()
        self._planned_at = self._start()
        run_script(connection, statements.named(f"migrate/{migration.name}/session"))

    def permit(self) -> Permit:
        """What is allowed now. What was planned anew is not this worker's any more: its own plan is cancelled."""
        row = self.connection.execute(
            "SELECT state, settings, count(hold.id) > 0, coalesce(bool_or(hold.until < clock_timestamp()), false)"
            " FROM migrations LEFT JOIN migration_holds AS hold ON hold.migration = name AND hold.ended_at IS NULL"
            " WHERE name = %s AND planned_at = %s GROUP BY state, settings",
            [self._migration.name, self._planned_at],
        ).fetchone()
        if row is None:
            return Permit(State.CANCELLED, DEFAULTS, False, False)
        return Permit(State(row[0]), from_json(row[1]), row[2], row[3])

    def claim(self) -> Claimed | None:
        """A range that nobody works on; None if there is none now."""
        with self.connection.transaction():
            row = self.connection.execute(
                statements.named("migrate/claim"),
                {"worker": self.number, "migration": self._migration.name, "alive": alive(self.connection)},
            ).fetchone()
            if row is None:
                return None
            number, after, until, cursor, rows, done, attempts, interruptions, was_running = row
            if was_running:
                note(self.connection, self._migration.name, "interrupted", "its worker is gone", number)
        return Claimed(number, cursor or after, until, rows, done, attempts, interruptions >= INTERRUPTIONS)

    def step(self, claimed: Claimed, rows: int, settings: Settings, speed: Pace) -> Step | Failure:
        """One transaction: the next rows of the range, and that they are done.

        Raises LeaseLost if the range went to another worker, StoreUnavailable if the database went away.
        """
        started = time.monotonic()

        def work() -> Step:
            last, looked_at, changed = self._run(claimed, rows)
            is_last = claimed.is_done_by(rows, last, looked_at)
            return self._recorded(claimed, Step(last, looked_at, changed, time.monotonic() - started, is_last), speed)

        done = self._tried(claimed, settings, work)
        return done if isinstance(done, Failure) else replace(done, seconds=time.monotonic() - started)

    def chosen(self, claimed: Claimed, rows: int, settings: Settings) -> Chosen | Failure:
        """The next rows of a range whose work is done outside of its transaction. Raises as a step does."""
        return self._tried(claimed, settings, lambda: Chosen(*self._run(claimed, rows)))

    def record(
        self, claimed: Claimed, chosen: Chosen, rows: int, settings: Settings, seconds: float, speed: Pace
    ) -> Step | Failure:
        """Says that these rows are done. Raises LeaseLost if the range went to another worker, who does them again."""
        is_last = claimed.is_done_by(rows, chosen.last, chosen.looked_at)
        done = Step(chosen.last, chosen.looked_at, chosen.waiting, seconds, is_last)
        return self._tried(claimed, settings, lambda: self._recorded(claimed, done, speed))

    def fail(self, claimed: Claimed, error: str, settings: Settings) -> None:
        """Writes what went wrong, and what becomes of the range.

        Raises NeedsOperator if so many rows failed, each alone, that it is hardly the rows; then all work has ended.
        """
        with self.connection.transaction():
            self._fence(claimed)
            self._mishaps.settle(claimed, error)
            is_hopeless = self._mishaps.cancel_if_hopeless(error, settings)
        if is_hopeless:
            raise NeedsOperator(
                f"{settings.largest_quarantine} rows of {self._migration.name!r} failed, each alone, the last one with:"
                f" {error}. The rows are hardly the cause, so the migration is cancelled. Repair that, and plan it"
                f" again. If they are, `lineage migration set {self._migration.name} largest_quarantine 0`"
                " before it runs. Until then, `lineage migration cancel` builds again what was set aside"
            )

    def give_back(self, claimed: Claimed) -> None:
        """Leaves the range to others, as it is."""
        self.connection.execute(
            "UPDATE migration_ranges SET state = 'pending', worker = NULL WHERE id = %s AND worker = %s",
            [claimed.id, self.number],
        )

    def is_anything_left(self) -> bool:
        row = self.connection.execute(
            "SELECT EXISTS (SELECT FROM migration_ranges WHERE migration = %s AND state <> 'done')",
            [self._migration.name],
        ).fetchone()
        return bool(row and row[0])

    def finish(self) -> None:
        """Says that every range is done, if nobody has yet."""
        with self.connection.transaction():
            ended = self.connection.execute(
                "UPDATE migrations SET finished_at = clock_timestamp() WHERE name = %s AND state = %s"
                " AND NOT EXISTS ("
                "SELECT FROM migration_ranges AS range WHERE range.migration = name AND range.state <> 'done')"
                " RETURNING name",
                [self._migration.name, State.RUNNING.value],
            ).fetchone()
            if ended:
                move(self.connection, self._migration.name, State.FINISHED)

    def _register(self) -> int:
        """The lock is held before anybody can see the worker, so that it never looks dead."""
        with self.connection.transaction():
            row = self.connection.execute(
                "INSERT INTO migration_workers (migration, host) VALUES (%s, %s) RETURNING number",
                [self._migration.name, socket.gethostname()],
            ).fetchone()
            number: int = row[0] if row else 0
            self.connection.execute("SELECT pg_advisory_lock(%s, %s)", [WORKERS, number])
        return number

    def _start(self) -> datetime | None:
        """Says that the migration is at work; when it was planned."""
        with self.connection.transaction():
            row = self.connection.execute(
                "UPDATE migrations SET started_at = coalesce(started_at, clock_timestamp())"
                " WHERE name = %s RETURNING state, planned_at",
                [self._migration.name],
            ).fetchone()
            if row is None:
                return None
            state, planned_at = row
            if State(state) is State.PLANNED:
                move(self.connection, self._migration.name, State.RUNNING, f"worker {self.number}")
            return planned_at  # type: ignore[no-any-return]

    def _tried(self, claimed: Claimed, settings: Settings, act: Callable[[], T]) -> T | Failure:
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

    def _failure(self, claimed: Claimed, error: psycopg.Error) -> Failure:
        """Raises what no other range would be spared, after the range was given back."""
        is_usable = self.connection.info.transaction_status is TransactionStatus.IDLE
        if self.connection.broken or not is_usable:
            raise StoreUnavailable(f"The database ended the work: {error}") from error
        told = str(error.diag.message_primary or error)
        if isinstance(error, _IN_USE):
            return Failure(Trouble.IN_USE, told)
        self._forget()
        if isinstance(error, psycopg.errors.QueryCanceled):
            return Failure(Trouble.TOO_SLOW, told)
        if sqlstate_class(error) in OF_THE_SERVER:
            self.give_back(claimed)
            raise StoreUnavailable(f"The database cannot do the work now: {told}") from error
        if sqlstate_class(error) in OF_THE_DATABASE:
            self.give_back(claimed)
            raise NeedsOperator(
                f"Postgres refuses the work of {self._migration.name!r}: {told}. `lineage db check` says whether the"
                " database is what this release expects; the work takes the role lineage_jobs"
            ) from error
        return Failure(Trouble.WRONG, told)

    def _forget(self) -> None:
        """What the session has kept may be wrong after a failure."""
        run_script(self.connection, statements.named(f"migrate/{self._migration.name}/forget"))

    def _limit(self, settings: Settings) -> None:
        self.connection.execute(
            "SELECT set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true)",
            [f"{settings.lock_timeout_ms}ms", f"{settings.statement_timeout_ms}ms"],
        )

    def _fence(self, claimed: Claimed) -> None:
        """Keeps others out of the range until the transaction ends. Raises LeaseLost if it went to another."""
        row = self.connection.execute(
            "SELECT FROM migration_ranges WHERE id = %s AND worker = %s AND state = 'running' FOR UPDATE",
            [claimed.id, self.number],
        ).fetchone()
        if row is None:
            raise LeaseLost(
                f"Range {claimed.id} of {self._migration.name!r} went to another worker; this one continues elsewhere"
            )

    def _run(self, claimed: Claimed, rows: int) -> TupleRow:
        cursor = psycopg.ClientCursor(self.connection)
        cursor.execute(self._script.encode(), {"after": claimed.after, "until": claimed.until, "rows": rows})
        while cursor.nextset():
            pass
        row = cursor.fetchone()
        assert row is not None  # noqa: S101 - every step ends with an aggregate
        return row

    def _recorded(self, claimed: Claimed, step: Step, speed: Pace) -> Step:
        self._write_progress(claimed, step)
        self._show_life(step, speed)
        return step

    def _write_progress(self, claimed: Claimed, step: Step) -> None:
        moved = self.connection.execute(
            sql.SQL(_PROGRESS).format(kind=sql.SQL(self._migration.key_type)), vars(step) | {"id": claimed.id}
        ).rowcount
        if not moved:
            raise _StandsStill(f"The step behind {claimed.after} ends at {step.last}: it would be repeated for ever")

    def _show_life(self, step: Step, speed: Pace) -> None:
        """What the work took; and the transaction, in which others may have had to wait."""
        self.connection.execute(
            "UPDATE migration_workers SET seen_at = clock_timestamp(), batch_rows = %s, rows_per_second = %s,"
            " spread = %s, batch_seconds = %s,"
            " longest_seconds = greatest(longest_seconds, extract(epoch FROM clock_timestamp() - now()))"
            " WHERE number = %s",
            [step.looked_at, speed.rate, speed.spread, step.seconds, self.number],
        )
