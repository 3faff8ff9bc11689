"""Holds of long migrations: the server's signals are read, judged, and kept where all workers see them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import psycopg

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.long_migrations.decisions.holds import WAL_RATE, Reason, Signals, reasons
from lineage_core.long_migrations.decisions.settings import MigrationSettings
from lineage_core.long_migrations.decisions.states import AT_WORK
from lineage_core.long_migrations.declared import LongMigration
from lineage_core.long_migrations.store import hold_queries
from lineage_core.long_migrations.store.records import end_holds, note
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_row, value_or_none


@dataclass(frozen=True)
class LogPosition:
    """How much the server had written to its log at an instant."""

    bytes: float
    at: datetime


@dataclass(frozen=True)
class _ServerReading:
    """What the server shows at one look: as in `Signals`, but for `wal`, the bytes of its log at the instant."""

    wal: float | None
    looked_at: datetime
    archive_queue: int | None
    replication_lag_seconds: float | None
    vacuumed: list[str]
    transaction_seconds: float | None
    active_sessions: int | None


class Health:
    """One worker's eye on the server. The rate of the log takes two looks."""

    def __init__(self, store: Store, connection: Connection, migration: LongMigration) -> None:
        self._store = store
        self._connection = connection
        self._migration = migration
        self._before: LogPosition | None = None

    def judge(self, settings: MigrationSettings) -> list[Reason]:
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

    def signals(self, settings: MigrationSettings) -> Signals:
        tables = {"tables": list(self._migration.writes)}
        shown = one_row(self._connection, _ServerReading, "long_migrations/signals", tables)
        return Signals(
            wal_bytes_per_second=self._wal_rate(shown.wal, shown.looked_at),
            archive_queue=shown.archive_queue,
            replication_lag_seconds=shown.replication_lag_seconds,
            vacuumed=tuple(shown.vacuumed),
            transaction_seconds=shown.transaction_seconds,
            active_sessions=shown.active_sessions,
            asked=self._asked(settings.hold_query),
        )

    def _wal_rate(self, wal: float | None, at: datetime) -> float | None:
        before, self._before = self._before, None if wal is None else LogPosition(wal, at)
        if before is None or wal is None or at <= before.at:
            return None
        return (wal - before.bytes) / (at - before.at).total_seconds()

    def _asked(self, query: str) -> float | None:
        """What the stored query of that name says, in a session of its own. One that is too slow says: all is busy."""
        if not query:
            return None
        try:
            return hold_queries.ask(self._store, query)
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
        hold = {
            "migration": self._migration.name,
            "seconds": seconds,
            "at_work": [state.value for state in AT_WORK],
            **vars(reason),
        }
        if value_or_none(self._connection, bool, "long_migrations/hold", hold):
            note(self._connection, self._migration.name, "held", reason.detail)
