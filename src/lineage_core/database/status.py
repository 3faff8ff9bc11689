"""What an operator looks at first: what waits and since when, who works, what was set aside, how large the store is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lineage_core.long_migrations.store import records
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.normalize.store.waiting_since import waiting_since
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.postgres.typed_rows import one_row, one_value
from lineage_core.retention.store.reports import reports

MOST_WAITING = 10_001
"""Events that are looked at, so that a store that is far behind answers soon, too."""


@dataclass(frozen=True)
class Waiting:
    """What is not normalized. `since`: when the first of it arrived; `is_more`: there is more than was looked at."""

    events: int
    bytes: int
    since: datetime | None
    is_more: bool


@dataclass(frozen=True)
class Normalization:
    """`moved_at`: when a run last moved the watermark, None before the first; `holder`: who is at work now."""

    moved_at: datetime | None
    holder: str | None


@dataclass(frozen=True)
class Arrivals:
    """Events that arrived in the last hour and day, of those that happened in the last day."""

    last_hour: int
    last_day: int


@dataclass(frozen=True)
class Quarantined:
    """Documents that could not become rows."""

    documents: int
    last_at: datetime | None


@dataclass(frozen=True)
class RefusedSchemas:
    """Schemas of datasets that broke a rule, and that nobody has acknowledged; `last_at` is when the last one came."""

    alerts: int
    last_at: datetime | None


@dataclass(frozen=True)
class ReceivedByHttp:
    """Documents that came over HTTP since the last full hour began, and what their requests took; `processes` receive
    now. None where nothing was accepted."""

    processes: int
    accepted: int
    refused: int
    mean_microseconds: int | None
    longest_microseconds: int | None


@dataclass(frozen=True)
class MigrationProgress:
    """A long migration that was planned; `percent` of its rows are done, `quarantined` ones need a person."""

    name: str
    state: str
    percent: float
    quarantined: int


@dataclass(frozen=True)
class LastRetention:
    """The last application of retention; `finished_at` is None while it is at work, and after it was interrupted."""

    started_at: datetime
    finished_at: datetime | None
    rows: int


@dataclass(frozen=True)
class StoreStatus:
    """The whole."""

    waiting: Waiting
    normalization: Normalization
    arrivals: Arrivals
    receiver: ReceivedByHttp
    quarantine: Quarantined
    schema_changes: RefusedSchemas
    migrations: tuple[MigrationProgress, ...]
    retention: LastRetention | None
    database_bytes: int


def store_status(dsn: str) -> StoreStatus:
    """Only reads, for seconds at most."""
    with explained("lineage_reader"), connect(dsn, application_name="lineage status") as connection:
        return StoreStatus(
            waiting=_waiting(connection),
            normalization=one_row(connection, Normalization, "database/status/normalization", {"name": WATERMARK}),
            arrivals=one_row(connection, Arrivals, "database/status/arrivals"),
            receiver=one_row(connection, ReceivedByHttp, "database/status/receiver"),
            quarantine=one_row(connection, Quarantined, "database/status/quarantine"),
            schema_changes=one_row(connection, RefusedSchemas, "database/status/schema_changes"),
            migrations=tuple(_migrations(dsn)),
            retention=_last_retention(dsn),
            database_bytes=one_value(connection, int, "database/database_size"),
        )


@dataclass(frozen=True)
class _Amount:
    events: int
    bytes: int
    is_more: bool


def _waiting(connection: Connection) -> Waiting:
    amount = one_row(connection, _Amount, "database/status/waiting", {"most": MOST_WAITING})
    return Waiting(amount.events, amount.bytes, waiting_since(connection), amount.is_more)


def _migrations(dsn: str) -> list[MigrationProgress]:
    return [
        MigrationProgress(found.name, found.state, found.percent, found.quarantined) for found in records.statuses(dsn)
    ]


def _last_retention(dsn: str) -> LastRetention | None:
    found = (LastRetention(one.started_at, one.finished_at, sum(one.deleted.values())) for one in reports(dsn, most=1))
    return next(found, None)
