"""What becomes of a range whose transaction failed: it is tried again, split, or its one row set aside."""

from __future__ import annotations

from lineage_core.long_migrations.decisions.ranges import ATTEMPTS, Range, Remedy, range_halves, remedy, retry_delay
from lineage_core.long_migrations.decisions.settings import MigrationSettings
from lineage_core.long_migrations.decisions.states import ClaimedRange
from lineage_core.long_migrations.declared import LongMigration
from lineage_core.long_migrations.store.records import RangeEnd, add_ranges, end_holds, keyed, move, note
from lineage_core.long_migrations.tables import State
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import execute, one_row, one_value, value_or_none

_QUARANTINED = "quarantined"
"""What a worker notes of a row that it puts into quarantine."""


class Failures:
    """One worker's; each call must be in a transaction that keeps others out of the range."""

    def __init__(self, connection: Connection, migration: LongMigration) -> None:
        self._connection = connection
        self._migration = migration

    def settle(self, claimed: ClaimedRange, error: str) -> None:
        """Writes what went wrong, and what becomes of the range."""
        attempts = ATTEMPTS if claimed.has_killed else claimed.attempts + 1
        counted = self._count_left(claimed)
        note(self._connection, self._migration.name, "failed", error, claimed.id)
        match remedy(attempts, counted):
            case Remedy.AGAIN:
                self._put_back(claimed, attempts)
            case Remedy.SPLIT:
                self._split(claimed)
            case Remedy.QUARANTINE:
                self._quarantine(claimed, error)

    def cancel_if_hopeless(self, error: str, settings: MigrationSettings) -> bool:
        """Whether so many rows failed, each alone, that it is hardly the rows; then the migration is cancelled."""
        is_hopeless = 0 < settings.largest_quarantine <= self._count_quarantined()
        if is_hopeless:
            move(
                self._connection, self._migration.name, State.CANCELLED, f"too many rows failed, the last with: {error}"
            )
            end_holds(self._connection, self._migration.name)
        return is_hopeless

    def _count_quarantined(self) -> int:
        """Since it was planned, by workers; what a step itself sets aside was foreseen."""
        counted = {"migration": self._migration.name, "event": _QUARANTINED}
        return one_value(self._connection, int, "long_migrations/count_failed", counted)

    def _count_left(self, claimed: ClaimedRange) -> int:
        """No more than two are of interest here: one is quarantined, several are split."""
        count = keyed("long_migrations/count_left", self._migration)
        return one_value(self._connection, int, count, _span(claimed))

    def _put_back(self, claimed: ClaimedRange, attempts: int) -> None:
        put_back = {"id": claimed.id, "attempts": attempts, "seconds": retry_delay(attempts)}
        execute(self._connection, "long_migrations/pause_range", put_back)

    def _split(self, claimed: ClaimedRange) -> None:
        """The range ends where it stands, and two new ones have the rest."""
        middle = one_row(self._connection, RangeEnd, keyed("long_migrations/middle", self._migration), _span(claimed))
        left = Range(claimed.after, claimed.until, claimed.rows - claimed.done)
        add_ranges(self._connection, self._migration, range_halves(left, middle.key, middle.place))
        execute(self._connection, "long_migrations/shorten_range", {"id": claimed.id})
        note(self._connection, self._migration.name, "split", f"after {middle.key}", claimed.id)

    def _quarantine(self, claimed: ClaimedRange, error: str) -> None:
        """The one row that is left goes to quarantine; none is left if it was removed meanwhile.

        One that somebody has accepted, with that error, is no news.
        """
        quarantine = keyed("long_migrations/quarantine_key", self._migration)
        kept = _span(claimed) | {"migration": self._migration.name, "error": error}
        is_news = value_or_none(self._connection, bool, quarantine, kept)
        execute(self._connection, "long_migrations/complete_range", {"id": claimed.id})
        if is_news:
            note(self._connection, self._migration.name, _QUARANTINED, claimed.until, claimed.id)


def _span(claimed: ClaimedRange) -> dict[str, str | None]:
    return {"after": claimed.after, "until": claimed.until}
