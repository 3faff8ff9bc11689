"""Writing raw events, whole batches by COPY; needs no more than the role `lineage_ingest` may do."""

from __future__ import annotations

from collections.abc import Sequence

import psycopg
from psycopg import errors

from lineage_core import quarantine
from lineage_core.declare.vocabulary import INGESTED
from lineage_core.errors import RejectedEvent
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge
from lineage_core.model.tables.lineage_events import TABLE
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.copy_format import HEADER, TRAILER, row_encoder
from lineage_core.postgres.failures import explained
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.store import Store

PATIENCE = 3
"""Seconds that a single event waits for a connection, and again for its statement: its producer waits with it."""

_COLUMNS = tuple(column for column in TABLE.columns if column.rule == INGESTED)
_COPY = f"COPY lineage_events ({', '.join(column.name for column in _COLUMNS)}) FROM STDIN (FORMAT binary)"
_encode = row_encoder(_COLUMNS)

REFUSALS = (
    psycopg.DataError,
    errors.CheckViolation,
    errors.ProgramLimitExceeded,
    errors.StatementTooComplex,
)
"""What Postgres answers to a document that it cannot hold: `\\u0000`, a number beyond its range, too much nesting or
text."""


def store(connection: Connection, arrivals: Sequence[AcceptedEvent | RefusedDocument]) -> int:
    """Write one batch in one transaction, events and quarantine together; how many went to quarantine."""
    accepted = [arrival for arrival in arrivals if isinstance(arrival, AcceptedEvent)]
    refused = [arrival for arrival in arrivals if isinstance(arrival, RefusedDocument)]
    with explained("lineage_ingest"), connection.transaction():
        # Nothing is read here, and what a policy does not let in is refused aloud.
        set_for_transaction(connection, statement_timeout=connection.statement_timeout, row_security="on")
        refused += insert(connection, accepted)
        quarantine.put(connection, refused)
    return len(refused)


def insert(connection: Connection, events: Sequence[AcceptedEvent]) -> list[RefusedDocument]:
    """Write events; those that Postgres refuses are left out and given back, found by halving.

    Postgres works out itself what the document says, but for its time, by which a row finds its partition.
    """
    if not events:
        return []
    try:
        with connection.transaction():
            _copy(connection, events)
    except (*REFUSALS, RejectedEvent) as error:
        if len(events) == 1:
            return [_refused(events[0], error)]
        middle = len(events) // 2
        return insert(connection, events[:middle]) + insert(connection, events[middle:])
    return []


def insert_event(destination: Store, body: bytes, source: str = "transport") -> None:
    """Write one event now, or fail within seconds. A document that is no event goes to quarantine."""
    with impatient(destination) as connection:
        store(connection, [judge(body, source)])


def impatient(store: Store) -> Connection:
    """A connection for who cannot wait: it is there within seconds, and so is what each of its statements says."""
    return store.connect_for_transactions(patience=PATIENCE)


def _copy(connection: Connection, events: Sequence[AcceptedEvent]) -> None:
    cursor = connection.cursor()
    with cursor.copy(_COPY.encode()) as copy:
        copy.write(HEADER)
        for event in events:
            copy.write(_encode(event.row))
        copy.write(TRAILER)
    if cursor.rowcount < len(events):
        raise RejectedEvent("the database reads another time in it", "$.eventTime")


def _refused(event: AcceptedEvent, error: psycopg.Error | RejectedEvent) -> RefusedDocument:
    if isinstance(error, RejectedEvent):
        return RefusedDocument(event.raw, error.reason, error.path, event.source)
    messages = (error.diag.message_primary or str(error), error.diag.message_detail)
    return RefusedDocument(event.raw, f"Postgres: {' '.join(filter(None, messages))}", "$", event.source)
