"""The state of long migrations: planned, steered and told of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg import sql
from psycopg.rows import dict_row

from lineage_core import statements
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.long_migrations.declared import LongMigration, long_migration
from lineage_core.long_migrations.plan.progress import estimate
from lineage_core.long_migrations.plan.ranges import range_rows, ranges
from lineage_core.long_migrations.plan.settings import Settings, changed, from_json, to_json
from lineage_core.long_migrations.plan.states import State, check
from lineage_core.long_migrations.store import hold_queries
from lineage_core.long_migrations.store.indexes import missing, set_aside
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained

WORKERS = 1_818_848_613
"""First half of the advisory locks that workers hold; the second is their number."""
PLANNERS = WORKERS + 1
"""First half of the advisory locks of those who plan; the second stands for the migration."""


@dataclass(frozen=True)
class Hold:
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
    holds: tuple[Hold, ...]
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


def plan(dsn: str, name: str) -> None:
    """Cuts the keys into ranges. What was planned before is planned anew; settings stay."""
    migration = long_migration(name)
    with _planning(dsn, migration) as connection:
        known = _locked(connection, migration.name)
        if known is not None:
            check("plan", migration.name, known.state)
        _plan(connection, migration)


def plan_if_needed(dsn: str, name: str) -> State:
    """The state of the migration, which is planned unless it has ever been.

    One that was cancelled stays so: a scheduler that tries its run once more must not undo the cancel.
    """
    migration = long_migration(name)
    with _planning(dsn, migration) as connection:
        known = _locked(connection, migration.name)
        if known is None:
            _plan(connection, migration)
            return State.PLANNED
        return known.state


def pause(dsn: str, name: str) -> None:
    _steer(dsn, "pause", name, State.PAUSED)


def resume(dsn: str, name: str) -> None:
    _steer(dsn, "resume", name, State.RUNNING)


def stop(dsn: str, name: str) -> None:
    """Ends the work, and what holds it."""
    migration = long_migration(name)
    with _steering(dsn) as connection:
        check("cancel", migration.name, planned(connection, migration.name).state)
        move(connection, migration.name, State.CANCELLED, "cancel")
        end_holds(connection, migration.name)


def change_setting(dsn: str, name: str, setting: str, value: str) -> Settings:
    """Workers see it before their next transaction."""
    migration = long_migration(name)
    with _steering(dsn) as connection:
        known = planned(connection, migration.name)
        check("set", migration.name, known.state)
        settings = changed(known.settings, setting, value)
        if setting == "hold_query" and value and not hold_queries.exists(connection, value):
            raise hold_queries.unknown(value)
        connection.execute(
            "UPDATE migrations SET settings = %s::jsonb WHERE name = %s",
            [json.dumps(to_json(settings)), migration.name],
        )
        note(connection, migration.name, "set", f"{setting} = {value}")
    return settings


def retry(dsn: str, name: str) -> int:
    """Puts what is in quarantine, and what waits after a failure, back to work; how many rows and ranges these are."""
    migration = long_migration(name)
    with _steering(dsn) as connection:
        known = planned(connection, migration.name)
        check("retry", migration.name, known.state)
        names = {"key": sql.Identifier(migration.key), "table": sql.Identifier(migration.table)}
        kind = sql.SQL(migration.key_type)
        back = connection.execute(sql.SQL(_PUT_BACK).format(kind=kind, **names), {"name": migration.name}).rowcount
        waiting = connection.execute(
            "UPDATE migration_ranges SET state = 'pending', attempts = 0, interruptions = 0, not_before = NULL"
            " WHERE migration = %s AND state = 'waiting'",
            [migration.name],
        ).rowcount
        if back and known.state is State.FINISHED:
            move(connection, migration.name, State.PLANNED, "retry")
    return back + waiting


def accept(dsn: str, name: str, why: str, accepted_from: str, keys: Sequence[str] | None = None) -> int:
    """Lets rows in quarantine stay as they are: those with the keys, or all; how many nobody had accepted before.

    It holds for the error for which they are there now. Raises WrongUsage where `why` is empty, and if one of the keys
    is not in quarantine.
    """
    if not why.strip():
        raise WrongUsage("Say by --why for which reason these rows may stay as they are")
    migration = long_migration(name)
    with _steering(dsn) as connection:
        check("accept", migration.name, planned(connection, migration.name).state)
        found = connection.execute(
            statements.named("migrate/accept"),
            {
                "migration": migration.name,
                "keys": None if keys is None else list(keys),
                "why": why,
                "from": accepted_from,
            },
        ).fetchall()
        missing_keys = sorted(set(keys or ()) - {key for key, _ in found})
        if missing_keys:
            raise WrongUsage(
                f"{len(missing_keys)} of these are not in the quarantine of {name!r}, such as {missing_keys[0][:80]!r};"
                " nothing is accepted. The table migration_quarantine has the keys of what is there"
            )
        accepted = len([key for key, is_new in found if is_new])
        if accepted:
            note(connection, migration.name, "accepted", f"{accepted} rows from {accepted_from}: {why}")
    return accepted


_PUT_BACK = """
WITH freed AS (DELETE FROM migration_quarantine WHERE migration = %(name)s RETURNING key)
INSERT INTO migration_ranges (migration, after_key, until_key, rows)
SELECT %(name)s, before.key, freed.key, 0
FROM freed
LEFT JOIN LATERAL (
    SELECT {key}::text AS key FROM {table} WHERE {key} < freed.key::{kind} ORDER BY {table}.{key} DESC LIMIT 1
) AS before ON true
"""
"""Each key becomes a range of its own, from the key before it."""


def statuses(dsn: str, name: str | None = None) -> list[Status]:
    """Of one migration or of all; those that were never planned are left out."""
    if name is not None:
        long_migration(name)
    with explained("lineage_reader"), connect(dsn) as connection:
        cursor = connection.cursor(row_factory=dict_row)
        found = cursor.execute(
            statements.named("migrate/status"), {"migration": name, "alive": alive(connection)}
        ).fetchall()
        return [
            _status(row, holds(connection, row["name"]), missing(connection, long_migration(row["name"])))
            for row in found
        ]


def status(dsn: str, name: str) -> Status:
    found = statuses(dsn, name)
    if not found:
        raise NeedsOperator(f"The migration {name!r} is not planned; `lineage migration run {name}` does it")
    return found[0]


def holds(connection: Connection, name: str) -> tuple[Hold, ...]:
    """What holds the migration now."""
    found = connection.execute(
        "SELECT signal, detail, since, until FROM migration_holds WHERE migration = %s AND ended_at IS NULL"
        " ORDER BY id",
        [name],
    )
    return tuple(Hold(*row) for row in found)


def end_holds(connection: Connection, name: str, *, but: Sequence[str] = ()) -> None:
    """Ends the holds of the migration, except by the signals that still say so."""
    ended = connection.execute(
        "UPDATE migration_holds SET ended_at = clock_timestamp() WHERE migration = %s AND ended_at IS NULL"
        " AND NOT signal = ANY (%s) RETURNING signal",
        [name, list(but)],
    ).fetchall()
    for (signal,) in ended:
        note(connection, name, "released", signal)


def alive(connection: Connection) -> list[int]:
    """Numbers of the workers whose sessions are there."""
    found = connection.execute(
        "SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objsubid = 2 AND granted"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        [WORKERS],
    )
    return [number for (number,) in found]


@dataclass(frozen=True)
class Planned:
    """A migration's row, as commands and workers need it."""

    state: State
    settings: Settings
    verified_at: datetime | None


def planned(connection: Connection, name: str) -> Planned:
    """The migration's row, locked against other commands. Raises NeedsOperator if it was never planned."""
    known = _locked(connection, name)
    if known is None:
        raise NeedsOperator(f"The migration {name!r} is not planned; `lineage migration plan {name}` does it")
    return known


def move(connection: Connection, name: str, state: State, detail: str | None = None) -> None:
    """Writes the new state, and that it was reached."""
    connection.execute("UPDATE migrations SET state = %s WHERE name = %s", [state.value, name])
    note(connection, name, state.value, detail)


def note(connection: Connection, name: str, event: str, detail: str | None = None, range_id: int | None = None) -> None:
    connection.execute(
        "INSERT INTO migration_transitions (migration, range_id, event, detail) VALUES (%s, %s, %s, %s)",
        [name, range_id, event, detail],
    )


@contextmanager
def _planning(dsn: str, migration: LongMigration) -> Iterator[Connection]:
    """One at a time: a second first plan would take the ranges away from those who have begun."""
    with _steering(dsn) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [PLANNERS, migration.name])
        yield connection


@contextmanager
def _steering(dsn: str) -> Iterator[Connection]:
    with explained("lineage_jobs"), connect(dsn) as connection:
        yield connection


def _steer(dsn: str, command: str, name: str, to: State) -> None:
    migration = long_migration(name)
    with _steering(dsn) as connection:
        check(command, migration.name, planned(connection, migration.name).state)
        move(connection, migration.name, to, command)


def _locked(connection: Connection, name: str) -> Planned | None:
    row = connection.execute(
        "SELECT state, settings, verified_at FROM migrations WHERE name = %s FOR NO KEY UPDATE", [name]
    ).fetchone()
    if row is None:
        return None
    return Planned(State(row[0]), from_json(row[1]), row[2])


def _plan(connection: Connection, migration: LongMigration) -> None:
    connection.execute(
        "INSERT INTO migrations (name, state, settings) VALUES (%s, %s, %s::jsonb) ON CONFLICT (name) DO UPDATE SET"
        " total = NULL, planned_at = now(), started_at = NULL, finished_at = NULL, verified_at = NULL,"
        " verification = NULL",
        [migration.name, State.PLANNED.value, json.dumps(to_json(migration.settings))],
    )
    for table in ("migration_ranges", "migration_quarantine", "migration_workers"):
        connection.execute(
            sql.SQL("DELETE FROM {} WHERE migration = %s").format(sql.Identifier(table)), [migration.name]
        )
    total = _cut(connection, migration)
    connection.execute("UPDATE migrations SET total = %s WHERE name = %s", [total, migration.name])
    move(connection, migration.name, State.PLANNED, f"{total} rows")
    for sentence in set_aside(connection, migration):
        note(connection, migration.name, "index", sentence)


def _cut(connection: Connection, migration: LongMigration) -> int:
    """Writes the ranges; the number of rows in all. Reads nothing but the index of the key."""
    names = {"key": sql.Identifier(migration.key), "table": sql.Identifier(migration.table)}
    row = connection.execute(sql.SQL("SELECT count(*) FROM {table}").format(**names)).fetchone()
    total: int = row[0] if row else 0
    size = range_rows(total)
    cuts = sql.SQL(
        "SELECT key, place FROM (SELECT {key}::text AS key, row_number() OVER (ORDER BY {key}) AS place FROM {table})"
        " AS numbered WHERE place %% %(size)s = 0 OR place = (SELECT count(*) FROM {table}) ORDER BY place"
    ).format(**names)
    found = connection.execute(cuts, {"size": size}).fetchall()
    rows, before = [], 0
    for key, place in found:
        rows.append((key, place - before))
        before = place
    connection.cursor().executemany(
        "INSERT INTO migration_ranges (migration, after_key, until_key, rows) VALUES (%s, %s, %s, %s)",
        [(migration.name, cut.after, cut.until, cut.rows) for cut in ranges(rows)],
    )
    return before


def _status(row: dict[str, Any], holding: tuple[Hold, ...], indexes: list[str]) -> Status:
    told = estimate(row["done"], row["total"], row["rows_per_second"], row["spread"])
    settings = from_json(row["settings"])
    return Status(
        name=row["name"],
        state=row["state"],
        done=min(row["done"], row["total"]),
        total=row["total"],
        **asdict(told),
        holds=holding,
        changed=row["changed"],
        quarantined=row["quarantined"],
        accepted=row["accepted"],
        workers=row["workers"],
        batch_rows=row["batch_rows"],
        batch_seconds=row["batch_seconds"],
        efficiency=row["batch_seconds"] and row["batch_seconds"] / settings.target_seconds,
        held_seconds=row["held_seconds"],
        ranges={kind: row[f"ranges_{kind}"] for kind in ("pending", "running", "waiting", "done")},
        indexes_set_aside=tuple(indexes),
        settings=asdict(settings),
        readers_read="new" if row["reads_new"] else "old",
        planned_at=row["planned_at"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        verified_at=row["verified_at"],
        verification=row["verification"],
    )
