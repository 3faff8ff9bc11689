"""Reports of retention: what each application planned and deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.postgres.typed_rows import every_row, execute, one_value
from lineage_core.retention.plan import RetentionPlan


@dataclass(frozen=True)
class RetentionReport:
    """One application; `finished_at` is None while it is at work, and after it was interrupted."""

    id: int
    as_of: datetime
    plan: Mapping[str, Any]
    deleted: Mapping[str, int]
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


def spoken_again(dsn: str, most: int = 100) -> list[SpokenAgain]:
    """Those that were deleted lately, the last to begin anew first."""
    with explained("lineage_reader"), connect(dsn) as connection:
        return every_row(connection, SpokenAgain, "retention/spoke_again", {"most": most})


def reports(dsn: str, most: int = 10) -> list[RetentionReport]:
    """The last ones, the newest first."""
    with explained("lineage_reader"), connect(dsn) as connection:
        return every_row(connection, RetentionReport, "retention/reports", {"most": most})


class ReportWriter:
    """The report of an application, as it goes on."""

    def __init__(self, connection: Connection, planned: RetentionPlan) -> None:
        self._connection = connection
        self._planned = planned
        self._number: int | None = None

    def begin(self) -> None:
        written = {"as_of": self._planned.as_of, "plan": Jsonb(self._planned.to_json())}
        self._number = one_value(self._connection, int, "retention/begin_report", written)

    def keep(self, deleted: Mapping[str, int]) -> None:
        self._write("retention/keep_deleted", deleted)

    def end(self, deleted: Mapping[str, int]) -> None:
        self._write("retention/end_report", deleted)

    def _write(self, statement: str, deleted: Mapping[str, int]) -> None:
        execute(self._connection, statement, {"report": self._number, "deleted": Jsonb(dict(deleted))})
        self._connection.commit()
