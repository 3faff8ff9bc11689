"""Writing raw events, whole batches by COPY; needs no more than the role `lineage_ingest` may do."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo

from lineage_core.arrivals import Accepted, Refused, judge
from lineage_core.copy_format import HEADER, TRAILER, row_encoder
from lineage_core.relation import INGESTED
from lineage_core.store import quarantine
from lineage_core.store.connection import Connection, connect
from lineage_core.store.failures import explained
from lineage_core.tables.lineage_events import TABLE

PATIENCE = 3
"""Seconds that a single event waits for a connection, and again for its statement: its producer waits with it."""

_COLUMNS = tuple(column for column in TABLE.columns if column.rule == INGESTED)
_COPY = f"COPY lineage_events ({', '.join(column.name for column in _COLUMNS)}) FROM STDIN (FORMAT binary)"
_encode = row_encoder(_COLUMNS)

_REFUSALS = (psycopg.DataError, errors.ProgramLimitExceeded, errors.StatementTooComplex)
"""What Postgres answers to a document that it cannot hold: `\\u0000`, a number beyond its range, too much nesting."""


def store(connection: Connection, arrivals: Sequence[Accepted | Refused]) -> int:
    """Write one batch in one transaction, events and quarantine together; how many went to quarantine."""
    accepted = [arrival for arrival in arrivals if isinstance(arrival, Accepted)]
    refused = [arrival for arrival in arrivals if isinstance(arrival, Refused)]
    with explained("lineage_ingest"), connection.transaction():
        refused += insert(connection, accepted)
        quarantine.put(connection, refused)
    return len(refused)


def insert(connection: Connection, events: Sequence[Accepted]) -> list[Refused]:
    """Write events; those that Postgres refuses are left out and given back, found by halving."""
    if not events:
        return []
    try:
        with connection.transaction():
            _copy(connection, events)
    except _REFUSALS as error:
        if len(events) == 1:
            return [_refused(events[0], error)]
        middle = len(events) // 2
        return insert(connection, events[:middle]) + insert(connection, events[middle:])
    return []


def insert_event(dsn: str, body: bytes, source: str = "transport") -> None:
    """Write one event now, or fail within seconds. A document that is no event goes to quarantine."""
    with connect(_impatient(dsn), autocommit=True) as connection:
        connection.execute("SELECT set_config('statement_timeout', %s, false)", [f"{PATIENCE}s"])
        store(connection, [judge(body, source)])


def _copy(connection: Connection, events: Sequence[Accepted]) -> None:
    with connection.cursor().copy(_COPY.encode()) as copy:
        copy.write(HEADER)
        for event in events:
            copy.write(_encode(event.row))
        copy.write(TRAILER)


def _refused(event: Accepted, error: psycopg.Error) -> Refused:
    said = (error.diag.message_primary or str(error), error.diag.message_detail)
    return Refused(event.raw, f"Postgres: {' '.join(filter(None, said))}", "$", event.source)


def _impatient(dsn: str) -> str:
    try:
        return make_conninfo(dsn, connect_timeout=PATIENCE)
    except psycopg.ProgrammingError:
        return dsn  # Malformed: `connect` says so, without repeating a password that may stand in it.
