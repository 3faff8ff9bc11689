"""Holds of long migrations: the server's signals are read, judged, and kept where all workers see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import psycopg

from lineage_core import statements
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.long_migrations.declared import LongMigration
from lineage_core.long_migrations.plan.holds import WAL_RATE, Reason, Signals, reasons
from lineage_core.long_migrations.plan.settings import Settings
from lineage_core.long_migrations.plan.states import AT_WORK
from lineage_core.long_migrations.store import hold_queries
from lineage_core.long_migrations.store.ledger import end_holds, note
from lineage_core.postgres.connection import Connection


@dataclass(frozen=True)
class Written:
    """How much the server had written to its log at an instant."""

    bytes: float
    at: datetime


class Health:
    """One worker's eye on the server. The rate of the log takes two looks."""

    def __init__(self, dsn: str, connection: Connection, migration: LongMigration) -> None:
        self._dsn = dsn
        self._connection = connection
        self._migration = migration
        self._before: Written | None = None

    def judge(self, settings: Settings) -> list[Reason]:
        """Looks at the server, and opens or ends holds by what it shows."""
        shown = self.signals(settings)
        found = reasons(shown, settings.limits)
        # A worker's first look tells no rate, so it does not end what another worker saw.
        unknown = [WAL_RATE] if shown.wal_bytes_per_second is None else []
        with self._connection.transaction():
            end_holds(self._connection, self._migration.name, but=[*(reason.signal for reason in found), *unknown])
            for reason in found:
                self._hold(reason, settings.hold_seconds)
        return found

    def signals(self, settings: Settings) -> Signals:
        row = self._connection.execute(
            statements.named("migrate/signals"), {"tables": list(self._migration.writes)}
        ).fetchone()
        assert row is not None  # noqa: S101 - a SELECT without FROM has one row
        wal, at, archive_queue, lag, vacuumed, oldest, active = row
        return Signals(
            wal_bytes_per_second=self._wal_rate(wal, at),
            archive_queue=archive_queue,
            replication_lag_seconds=lag,
            vacuumed=tuple(vacuumed),
            transaction_seconds=oldest,
            active_sessions=active,
            asked=self._asked(settings.hold_query),
        )

    def _wal_rate(self, wal: float | None, at: datetime) -> float | None:
        before, self._before = self._before, None if wal is None else Written(wal, at)
        if before is None or wal is None or at <= before.at:
            return None
        return (wal - before.bytes) / (at - before.at).total_seconds()

    def _asked(self, query: str) -> float | None:
        """What the stored query of that name says, in a session of its own. One that is too slow says: all is busy."""
        if not query:
            return None
        try:
            return hold_queries.ask(self._dsn, query)
        except hold_queries.TooSlow:
            return 1.0
        except psycopg.OperationalError:
            raise
        except (psycopg.Error, TypeError, ValueError, WrongUsage) as error:
            raise NeedsOperator(
                f"The query {query!r} that should hold {self._migration.name!r} fails: {error}. `lineage migration set"
                f" {self._migration.name} hold_query ''` removes it"
            ) from error

    def _hold(self, reason: Reason, seconds: float) -> None:
        """What was cancelled during the look is not held any more."""
        begun = self._connection.execute(
            "INSERT INTO migration_holds AS stored (migration, signal, detail, since, until)"
            " SELECT name, %(signal)s, %(detail)s, clock_timestamp(),"
            " clock_timestamp() + make_interval(secs => %(seconds)s) FROM migrations"
            " WHERE name = %(migration)s AND state = ANY (%(at_work)s) FOR SHARE"
            " ON CONFLICT (migration, signal) WHERE ended_at IS NULL"
            " DO UPDATE SET detail = excluded.detail, until = excluded.until RETURNING xmax = 0",
            {
                "migration": self._migration.name,
                "seconds": seconds,
                "at_work": [state.value for state in AT_WORK],
                **vars(reason),
            },
        ).fetchone()
        if begun and begun[0]:
            note(self._connection, self._migration.name, "held", reason.detail)
