"""Reports of retention: what each application planned and deleted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from lineage_core.postgres.addresses import redacted
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute, one_value
from lineage_core.retention.plan import RetentionPlan

RAW = "lineage_events"


@dataclass(frozen=True)
class RetentionReport:
    """One application; `finished_at` is None while it is at work, and after it was interrupted."""

    id: int
    as_of: datetime
    plan: Mapping[str, Any]
    archive: str | None
    deleted: Mapping[str, int]
    stayed: Mapping[str, int] | None
    applied_by: str
    started_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True)
class SpokenAgain:
    """A run of which an event came after retention had deleted it: it has begun anew with that."""

    uuid: UUID
    namespace: str
    job: str
    created_at: datetime
    purged_at: datetime


def spoken_again(store: Store, most: int = 100) -> list[SpokenAgain]:
    """Those that were deleted lately, the last to begin anew first."""
    with store.session("lineage_reader") as connection:
        return every_row(connection, SpokenAgain, "retention/spoke_again", {"most": most})


def reports(store: Store, most: int = 10) -> list[RetentionReport]:
    """The last ones, the newest first."""
    with store.session("lineage_reader") as connection:
        return every_row(connection, RetentionReport, "retention/reports", {"most": most})


class ReportWriter:
    """The report of an application, as it goes on. It begins at once; what goes is added where it is deleted.

    progress: called with how many rows have gone.
    """

    def __init__(
        self, connection: Connection, planned: RetentionPlan, archive: str | None, progress: Callable[[int], object]
    ) -> None:
        self._connection = connection
        self._progress = progress
        self._deleted = Counter[str]()
        self._stayed = Counter[str]()
        where = None if archive is None else redacted(archive)
        written = {"as_of": planned.as_of, "plan": Jsonb(planned.to_json()), "archive": where}
        self._number = one_value(self._connection, int, "retention/begin_report", written)
        connection.commit()

    @property
    def deleted(self) -> dict[str, int]:
        """Rows that have gone, for each table."""
        return dict(sorted((+self._deleted).items()))

    @property
    def stayed(self) -> dict[str, int]:
        """What was planned to go and stayed, by the reason."""
        return dict(sorted(self._stayed.items()))

    def add(self, gone: Mapping[str, int]) -> None:
        """Adds what the transaction of the writer's own session deletes."""
        self._add(self._connection, gone)

    def raw_events(self, connection: Connection, rows: int) -> None:
        """Adds raw events that the transaction of another session deletes."""
        self._add(connection, {RAW: rows})

    def add_stayed(self, stayed: Mapping[str, int]) -> None:
        self._stayed.update(stayed)

    def end(self, stayed: Mapping[str, int]) -> None:
        """Ends the report, and the transaction that has found nothing more to go."""
        self.add_stayed(stayed)
        ended = {"report": self._number, "stayed": Jsonb(self.stayed)}
        execute(self._connection, "retention/end_report", ended)
        self._connection.commit()

    def _add(self, connection: Connection, gone: Mapping[str, int]) -> None:
        rows = {table: number for table, number in gone.items() if number}
        if rows:
            execute(connection, "retention/add_deleted", {"report": self._number, "deleted": Jsonb(rows)})
            self._deleted.update(rows)
            self._progress(self._deleted.total())
