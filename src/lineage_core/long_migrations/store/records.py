"""The state of long migrations: planned, steered and reported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg import sql

from lineage_core.acts.store import record
from lineage_core.capability import counted
from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.long_migrations.decisions.pace import estimate
from lineage_core.long_migrations.decisions.ranges import Range, range_rows, ranges
from lineage_core.long_migrations.decisions.settings import MigrationSettings, changed, changed_as_json, from_json
from lineage_core.long_migrations.decisions.states import check_command, is_so_already
from lineage_core.long_migrations.declared import LongMigration, long_migration
from lineage_core.long_migrations.store import hold_queries
from lineage_core.long_migrations.store.indexes import missing, set_aside
from lineage_core.long_migrations.tables import RangeState, State
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import (
    composed,
    every_row,
    every_value,
    execute,
    execute_each,
    one_value,
    row_or_none,
)

WORKERS = 1_818_848_613
"""First half of the advisory locks that workers hold; the second is their number."""
PLANNERS = WORKERS + 1
"""First half of the advisory locks of those who plan; the second stands for the migration."""


@dataclass(frozen=True)
class HealthHold:
    """Why a migration waits, since when, and when the server is looked at again."""

    signal: str
    detail: str
    since: datetime
    until: datetime


@dataclass(frozen=True)
class Status:
    """A migration, as `lineage migration status --json` prints it."""

    name: str
    state: str
    done: int
    total: int
    percent: float
    rows_per_second: float | None
    eta_seconds: float | None
    eta_seconds_least: float | None
    eta_seconds_most: float | None
    holds: tuple[HealthHold, ...]
    changed: int
    quarantined: int
    """Rows that could not be worked on, without the accepted ones."""
    accepted: int
    """Rows that could not be worked on, and that somebody has accepted."""
    workers: int
    batch_rows: int | None
    """Rows of the largest of the last transactions of all workers."""
    batch_seconds: float | None
    """How long that transaction took."""
    efficiency: float | None
    """Its part of the time that a transaction should take."""
    held_seconds: dict[str, float]
    """How long each signal has held the migration since it was planned."""
    ranges: dict[str, int]
    indexes_set_aside: tuple[str, ...]
    settings: dict[str, Any]
    readers_read: str
    planned_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    verified_at: datetime | None
    verification: dict[str, Any] | None


def plan(store: Store, name: str) -> None:
    """Cuts the keys into ranges. What was planned before is planned anew; settings stay."""
    migration = long_migration(name)
    with _planning(store, migration) as connection:
        known = _locked(connection, migration.name)
        if known is not None:
            check_command("plan", migration.name, known.state)
        _plan(connection, migration)


def plan_if_needed(store: Store, name: str) -> State:
    """The state of the migration, which is planned unless it has ever been.

    One that was cancelled stays so: a scheduler that tries its run once more must not undo the cancel.
    """
    migration = long_migration(name)
    with _planning(store, migration) as connection:
        known = _locked(connection, migration.name)
        if known is None:
            _plan(connection, migration)
            return State.PLANNED
        return known.state


def pause(store: Store, name: str) -> bool:
    """Whether it was not paused already."""
    return _steer(store, "pause", name, State.PAUSED)


def resume(store: Store, name: str) -> bool:
    """Whether it was not at work already."""
    return _steer(store, "resume", name, State.RUNNING)


def stop_work(store: Store, name: str) -> None:
    """Ends the work, and what holds it."""
    migration = long_migration(name)
    with store.session(OPERATORS) as connection:
        check_command("cancel", migration.name, planned(connection, migration.name).state)
        _steer_to(connection, migration.name, State.CANCELLED, "cancel")
        record(connection, store, "migration cancel", name, State.CANCELLED.value)


def change_setting(store: Store, name: str, setting: str, value: str) -> MigrationSettings:
    """Workers see it before their next transaction."""
    migration = long_migration(name)
    with _steering(store) as connection:
        known = planned(connection, migration.name)
        check_command("set", migration.name, known.state)
        settings = changed(known.settings, setting, value)
        if setting == "hold_query" and value and not hold_queries.exists(connection, value):
            raise hold_queries.no_such_query(value)
        stored = {"migration": migration.name, "settings": json.dumps(changed_as_json(settings))}
        execute(connection, "long_migrations/change_settings", stored)
        note(connection, migration.name, "set", f"{setting} = {value}")
        record(connection, store, "migration set", name, f"{setting} = {value}")
    return settings


def retry(store: Store, name: str) -> int:
    """Puts what is in quarantine, and what waits after a failure, back to work; how many rows and ranges these are."""
    migration = long_migration(name)
    with _steering(store) as connection:
        known = planned(connection, migration.name)
        check_command("retry", migration.name, known.state)
        of = {"migration": migration.name}
        back = execute(connection, keyed("long_migrations/put_back", migration), of)
        waiting = execute(connection, "long_migrations/release_ranges", of)
        if back and known.state is State.FINISHED:
            move(connection, migration.name, State.PLANNED, "retry")
        record(connection, store, "migration retry", name, f"{counted(back + waiting, 'range')} again")
    return back + waiting


def accept(store: Store, name: str, why: str, accepted_from: str, keys: Sequence[str] | None = None) -> int:
    """Lets rows in quarantine stay as they are: those with the keys, or all; how many were not accepted before.

    It holds for the error for which they are there now. Raises WrongUsage where `why` is empty, and if one of the keys
    is not in quarantine.
    """
    if not why.strip():
        raise WrongUsage("Say by --why for which reason these rows may stay as they are")
    migration = long_migration(name)
    with _steering(store) as connection:
        check_command("accept", migration.name, planned(connection, migration.name).state)
        of = {
            "migration": migration.name,
            "keys": None if keys is None else list(keys),
            "why": why,
            "from": accepted_from,
        }
        found = every_row(connection, _Acceptance, "long_migrations/accept", of)
        missing_keys = sorted(set(keys or ()) - {row.key for row in found})
        if missing_keys:
            raise WrongUsage(
                f"{len(missing_keys)} of these are not in the quarantine of {name!r}, such as {missing_keys[0][:80]!r};"
                " nothing is accepted. The table migration_quarantine has the keys of what is there"
            )
        accepted = len([row for row in found if row.is_new])
        if accepted:
            note(connection, migration.name, "accepted", f"{accepted} rows from {accepted_from}: {why}")
        record(connection, store, "migration accept", name, f"{counted(accepted, 'row')} as they are: {why}")
    return accepted


@dataclass(frozen=True)
class _Acceptance:
    """A key that is accepted, and whether it is so from now on."""

    key: str
    is_new: bool


def statuses(store: Store, name: str | None = None) -> list[Status]:
    """Of one migration or of all; those that were never planned are left out."""
    if name is not None:
        long_migration(name)
    with store.session("lineage_reader") as connection:
        of = {"migration": name, "alive": alive(connection)}
        return [
            _status(row, holds(connection, row.name), missing(connection, long_migration(row.name)))
            for row in every_row(connection, _StatusRow, "long_migrations/status", of)
        ]


def status(store: Store, name: str) -> Status:
    found = statuses(store, name)
    if not found:
        raise NeedsOperator(f"The migration {name!r} is not planned; `lineage migration run {name}` does it")
    return found[0]


def holds(connection: Connection, name: str) -> tuple[HealthHold, ...]:
    """What holds the migration now."""
    return tuple(every_row(connection, HealthHold, "long_migrations/holds", {"migration": name}))


def end_holds(connection: Connection, name: str, *, but: Sequence[str] = ()) -> None:
    """Ends the holds of the migration, except by the signals that still say so."""
    of = {"migration": name, "kept": list(but)}
    for signal in every_value(connection, str, "long_migrations/end_holds", of):
        note(connection, name, "released", signal)


def alive(connection: Connection) -> list[int]:
    """Numbers of the workers whose sessions are there."""
    return every_value(connection, int, "long_migrations/workers_alive", {"workers": WORKERS})


def keyed(statement: str, migration: LongMigration) -> sql.Composed:
    """The statement, with the table of the migration, and the key of its ranges and its type."""
    return composed(
        statement,
        table=sql.Identifier(migration.table),
        key=sql.Identifier(migration.key),
        kind=sql.SQL(migration.key_type),
    )


@dataclass(frozen=True)
class MigrationRecord:
    """A migration's row, as commands and workers need it."""

    state: State
    settings: MigrationSettings
    verified_at: datetime | None


def planned(connection: Connection, name: str) -> MigrationRecord:
    """The migration's row, locked against other commands. Raises NeedsOperator if it was never planned."""
    known = _locked(connection, name)
    if known is None:
        raise NeedsOperator(f"The migration {name!r} is not planned; `lineage migration plan {name}` does it")
    return known


def move(connection: Connection, name: str, state: State, detail: str | None = None) -> None:
    """Writes the new state, and that it was reached."""
    execute(connection, "long_migrations/move", {"migration": name, "state": state.value})
    note(connection, name, state.value, detail)


def note(connection: Connection, name: str, event: str, detail: str | None = None, range_id: int | None = None) -> None:
    happened = {"migration": name, "range_id": range_id, "event": event, "detail": detail}
    execute(connection, "long_migrations/note", happened)


@contextmanager
def _planning(store: Store, migration: LongMigration) -> Iterator[Connection]:
    """One at a time: a second first plan would take the ranges away from those who have begun."""
    with _steering(store) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [PLANNERS, migration.name])
        yield connection


@contextmanager
def _steering(store: Store) -> Iterator[Connection]:
    with store.session("lineage_jobs") as connection:
        yield connection


def _steer(store: Store, command: str, name: str, to: State) -> bool:
    migration = long_migration(name)
    with store.session(OPERATORS) as connection:
        state = planned(connection, migration.name).state
        is_new = not is_so_already(command, state)
        if is_new:
            check_command(command, migration.name, state)
            _steer_to(connection, migration.name, to, command)
        outcome = to.value if is_new else f"was {to.value} already"
        record(connection, store, f"migration {command}", name, outcome)
    return is_new


def _steer_to(connection: Connection, name: str, to: State, command: str) -> None:
    """What a person may do to work, with no right to the tables."""
    execute(connection, "long_migrations/steer", {"migration": name, "state": to.value, "command": command})


def _locked(connection: Connection, name: str) -> MigrationRecord | None:
    return row_or_none(connection, _planned, "long_migrations/lock", {"migration": name})


def _planned(state: str, settings: dict[str, Any], verified_at: datetime | None) -> MigrationRecord:
    return MigrationRecord(State(state), from_json(settings), verified_at)


def _plan(connection: Connection, migration: LongMigration) -> None:
    """Raises WrongUsage if what the migration replaces was never there."""
    if migration.replaces and migration.replaces.table in replaced_tables(connection):
        raise WrongUsage(
            f"There is nothing to migrate: {migration.replaces.table} is a view of the new tables here. A store has the"
            " old table if `lineage db upgrade --with-old-mapping` made it"
        )
    of = {"migration": migration.name}
    begun = {"state": State.PLANNED.value, "settings": json.dumps(changed_as_json(migration.settings))}
    execute(connection, "long_migrations/plan", of | begun)
    for table in ("migration_ranges", "migration_quarantine", "migration_workers"):
        execute(connection, composed("long_migrations/forget_plan", table=sql.Identifier(table)), of)
    total = _cut(connection, migration)
    execute(connection, "long_migrations/keep_total", of | {"total": total})
    move(connection, migration.name, State.PLANNED, f"{total} rows")
    for sentence in set_aside(connection, migration):
        note(connection, migration.name, "index", sentence)


def _cut(connection: Connection, migration: LongMigration) -> int:
    """Writes the ranges; the number of rows in all. Reads nothing but the index of the key."""
    total = one_value(connection, int, keyed("long_migrations/count_rows", migration))
    cuts = keyed("long_migrations/cuts", migration)
    rows, before = [], 0
    for cut in every_row(connection, RangeEnd, cuts, {"size": range_rows(total)}):
        rows.append((cut.key, cut.place - before))
        before = cut.place
    add_ranges(connection, migration, ranges(rows))
    return before


def add_ranges(connection: Connection, migration: LongMigration, added: Iterable[Range]) -> None:
    of = {"migration": migration.name}
    execute_each(connection, "long_migrations/add_range", [of | vars(one) for one in added])


@dataclass(frozen=True)
class RangeEnd:
    """A key, and how many rows there are up to it."""

    key: str
    place: int


@dataclass(frozen=True)
class _StatusRow:
    """What the tables say of a migration; as in `Status`, with the number of ranges in each state."""

    name: str
    state: str
    settings: dict[str, Any]
    total: int
    done: int
    changed: int
    ranges_pending: int
    ranges_running: int
    ranges_waiting: int
    ranges_done: int
    quarantined: int
    accepted: int
    workers: int
    rows_per_second: float | None
    spread: float
    batch_rows: int | None
    batch_seconds: float | None
    held_seconds: dict[str, float]
    reads_new: bool
    planned_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    verified_at: datetime | None
    verification: dict[str, Any] | None


def _status(row: _StatusRow, holding: tuple[HealthHold, ...], indexes: list[str]) -> Status:
    estimated = estimate(row.done, row.total, row.rows_per_second, row.spread)
    settings = from_json(row.settings)
    return Status(
        name=row.name,
        state=row.state,
        done=min(row.done, row.total),
        total=row.total,
        **asdict(estimated),
        holds=holding,
        changed=row.changed,
        quarantined=row.quarantined,
        accepted=row.accepted,
        workers=row.workers,
        batch_rows=row.batch_rows,
        batch_seconds=row.batch_seconds,
        efficiency=row.batch_seconds and row.batch_seconds / settings.target_seconds,
        held_seconds=row.held_seconds,
        ranges={kind.value: getattr(row, f"ranges_{kind.value}") for kind in RangeState},
        indexes_set_aside=tuple(indexes),
        settings=asdict(settings),
        readers_read="new" if row.reads_new else "old",
        planned_at=row.planned_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        verified_at=row.verified_at,
        verification=row.verification,
    )
