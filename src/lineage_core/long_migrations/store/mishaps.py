"""What becomes of a range whose transaction failed: it is tried again, split, or its one row set aside."""

from __future__ import annotations

from psycopg import sql

from lineage_core.long_migrations.declared import LongMigration
from lineage_core.long_migrations.plan.ranges import ATTEMPTS, Range, Remedy, halves, pause, remedy
from lineage_core.long_migrations.plan.settings import Settings
from lineage_core.long_migrations.plan.states import State
from lineage_core.long_migrations.plan.steps import Claimed
from lineage_core.long_migrations.store.ledger import end_holds, move, note
from lineage_core.postgres.connection import Connection


class Mishaps:
    """One worker's; each call must be in a transaction that keeps others out of the range."""

    def __init__(self, connection: Connection, migration: LongMigration) -> None:
        self._connection = connection
        self._migration = migration

    def settle(self, claimed: Claimed, error: str) -> None:
        """Writes what went wrong, and what becomes of the range."""
        attempts = ATTEMPTS if claimed.has_killed else claimed.attempts + 1
        counted = self._count_left(claimed)
        note(self._connection, self._migration.name, "failed", error, claimed.id)
        match remedy(attempts, counted):
            case Remedy.AGAIN:
                self._put_back(claimed, attempts)
            case Remedy.SPLIT:
                self._split(claimed, counted)
            case Remedy.QUARANTINE:
                self._set_aside(claimed, error)

    def cancel_if_hopeless(self, error: str, settings: Settings) -> bool:
        """Whether so many rows failed, each alone, that it is hardly the rows; then the migration is cancelled."""
        is_hopeless = 0 < settings.largest_quarantine <= self._count_set_aside()
        if is_hopeless:
            move(
                self._connection, self._migration.name, State.CANCELLED, f"too many rows failed, the last with: {error}"
            )
            end_holds(self._connection, self._migration.name)
        return is_hopeless

    def _count_set_aside(self) -> int:
        """Since it was planned, by workers; what a step itself sets aside was foreseen."""
        row = self._connection.execute(
            "SELECT count(DISTINCT detail) FROM migration_transitions JOIN migrations ON name = migration"
            " WHERE migration = %s AND event = 'quarantined' AND happened_at >= planned_at",
            [self._migration.name],
        ).fetchone()
        return row[0] if row else 0

    def _count_left(self, claimed: Claimed) -> int:
        """No more than two are of interest here: one is quarantined, several are split."""
        row = self._connection.execute(
            self._keyed("SELECT count(*) FROM (SELECT DISTINCT {key} FROM {table} WHERE {left} LIMIT 2) AS kept"),
            _span(claimed),
        ).fetchone()
        return row[0] if row else 0

    def _put_back(self, claimed: Claimed, attempts: int) -> None:
        self._connection.execute(
            "UPDATE migration_ranges SET state = 'waiting', worker = NULL, attempts = %s,"
            " not_before = clock_timestamp() + make_interval(secs => %s) WHERE id = %s",
            [attempts, pause(attempts), claimed.id],
        )

    def _split(self, claimed: Claimed, counted: int) -> None:
        """The range ends where it stands, and two new ones have the rest."""
        row = self._connection.execute(
            self._keyed(
                "SELECT key, place FROM (SELECT {key}::text AS key, row_number() OVER (ORDER BY {key}) AS place,"
                " count(*) OVER () AS number FROM (SELECT DISTINCT {key} FROM {table} WHERE {left}) AS keys)"
                " AS numbered WHERE place = (number + 1) / 2"
            ),
            _span(claimed),
        ).fetchone()
        assert row is not None, counted  # noqa: S101 - at least two were counted in this transaction
        for half in halves(Range(claimed.after, claimed.until, claimed.rows - claimed.done), *row):
            self._connection.execute(
                "INSERT INTO migration_ranges (migration, after_key, until_key, rows) VALUES (%s, %s, %s, %s)",
                [self._migration.name, half.after, half.until, half.rows],
            )
        self._end(claimed, "rows = done")
        note(self._connection, self._migration.name, "split", f"after {row[0]}", claimed.id)

    def _set_aside(self, claimed: Claimed, error: str) -> None:
        """The one row that is left goes to quarantine; none is left if it was removed meanwhile.

        One that somebody has accepted, with that error, is no news.
        """
        set_aside = self._connection.execute(
            self._keyed(
                "INSERT INTO migration_quarantine AS held (migration, key, error)"
                " SELECT DISTINCT %(migration)s, {key}::text, %(error)s"
                " FROM {table} WHERE {left} ON CONFLICT (migration, key) DO UPDATE SET error = excluded.error"
                " RETURNING NOT EXISTS (SELECT FROM migration_acceptances AS known"
                " WHERE (known.migration, known.key, known.error) = (held.migration, held.key, held.error))"
            ),
            _span(claimed) | {"migration": self._migration.name, "error": error},
        ).fetchone()
        self._end(claimed, "done = rows")
        if set_aside == (True,):
            note(self._connection, self._migration.name, "quarantined", claimed.until, claimed.id)

    def _end(self, claimed: Claimed, adds_up: str) -> None:
        self._connection.execute(
            sql.SQL("UPDATE migration_ranges SET state = 'done', worker = NULL, {} WHERE id = %s").format(
                sql.SQL(adds_up)
            ),
            [claimed.id],
        )

    def _keyed(self, text: str) -> sql.Composed:
        key = sql.Identifier(self._migration.key)
        kind = sql.SQL(self._migration.key_type)
        left = sql.SQL("(%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}")
        return sql.SQL(text).format(
            key=key, table=sql.Identifier(self._migration.table), left=left.format(key=key, kind=kind)
        )


def _span(claimed: Claimed) -> dict[str, str | None]:
    return {"after": claimed.after, "until": claimed.until}
