"""What taking documents in does in the database: partitions of lineage_events, raw events, and what is tried again.

Partitions are made before their month, and the default one is emptied, and none kept waiting: locks of others are
waited for, and kept, for a moment only; what does not succeed is left to the next call. Whole batches of events are
written by COPY, with no more than the rights of the role `lineage_ingest`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import psycopg
from psycopg import Rollback, errors

from lineage_core import quarantine
from lineage_core.acts.store import record
from lineage_core.declare.database_names import OPERATORS
from lineage_core.declare.vocabulary import INGESTED
from lineage_core.errors import RejectedEvent, WrongUsage
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge, judge_rows
from lineage_core.model.tables.lineage_events import TABLE
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.copy_format import HEADER, TRAILER, row_encoder
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import attempts, keep_brief
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, execute, one_value, row_or_none, value_or_none
from lineage_core.quarantine import no_such_document

MONTHS_AHEAD = 3
"""Partitions that wait for their month."""

MOST_MONTHS_AHEAD = 24

MOVING_SECONDS = 10.0
"""How long a call moves events out of the default partition. What is left can be read there; the next call goes on."""

LOCK_TIMEOUT_MS = 100
ATTACH_TIMEOUT_MS = 200
"""How long a month may take to become a partition, the wait for the lock included: all others wait as long."""

ATTEMPTS = 5

_BUSY = (errors.LockNotAvailable, errors.QueryCanceled, errors.DeadlockDetected)


@dataclass(frozen=True)
class _Span:
    """A span of event time, as Postgres writes it: a calendar has no name for its ends where these are infinite."""

    begins: str
    ends: str
    is_month: bool


def ensure_event_partitions(
    store: Store, months_ahead: int = MONTHS_AHEAD, moving_seconds: float = MOVING_SECONDS
) -> list[str]:
    """Make the partitions that lineage_events needs now and next, and move events there; the names of those made."""
    with store.session("lineage_jobs", autocommit=True) as connection:
        return keep_event_partitions(connection, months_ahead, moving_seconds)


def keep_event_partitions(
    connection: Connection, months_ahead: int = MONTHS_AHEAD, moving_seconds: float = MOVING_SECONDS
) -> list[str]:
    """The same, in transactions of a session that is in none."""
    if not 0 <= months_ahead <= MOST_MONTHS_AHEAD:
        raise WrongUsage(f"months_ahead must be from 0 to {MOST_MONTHS_AHEAD}, not {months_ahead}")
    until = time.monotonic() + moving_seconds
    made, wanted = list[str](), _months(connection, months_ahead)
    for span in _crowded(connection, months_ahead):
        name = _make(connection, span.begins, is_moved=True) if span.is_month else None
        if _moves_all(connection, span, until) and span.is_month and name is None:
            wanted.append(span.begins)  # It fills up again: what arrives is to go to a partition at once.
        made += [name] if name else []
    for month in dict.fromkeys(wanted):
        name = _make(connection, month, is_moved=False)
        made += [name] if name else []
    return made


def _months(connection: Connection, ahead: int) -> list[str]:
    """This month and those ahead."""
    return every_value(connection, str, "ingest/months", {"ahead": ahead})


def _crowded(connection: Connection, months_ahead: int) -> list[_Span]:
    return every_row(connection, _Span, "ingest/crowded_times", {"months_ahead": months_ahead})


def _moves_all(connection: Connection, span: _Span, until: float) -> bool:
    """Moves step after step, each a transaction; False if time is up before all are moved."""
    while time.monotonic() < until:
        if one_value(connection, int, "ingest/move_events", {"begins": span.begins, "ends": span.ends}) == 0:
            return True
    return False


def _make(connection: Connection, month: str, *, is_moved: bool) -> str | None:
    """The name of the partition, or None if it is there already or cannot be made now."""
    for _ in attempts(ATTEMPTS):
        try:
            return _made(connection, month, is_moved)
        except _BUSY:
            continue
    return None


def _made(connection: Connection, month: str, is_moved: bool) -> str | None:
    with connection.transaction() as transaction:
        keep_brief(connection, LOCK_TIMEOUT_MS)
        of = {"month": month, "is_moved": is_moved}
        created = value_or_none(connection, str, "ingest/create_partition", of)
        if created is None:
            return None
        connection.execute("SELECT set_config('statement_timeout', %s, true)", [f"{ATTACH_TIMEOUT_MS}ms"])
        if one_value(connection, bool, "ingest/attach_partition", of):
            return created
        raise Rollback(transaction)
    return None


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
        raise _other_time()


def _other_time() -> RejectedEvent:
    return RejectedEvent("the database reads another time in it", "$.eventTime")


def _refused(event: AcceptedEvent, error: psycopg.Error | RejectedEvent) -> RefusedDocument:
    if isinstance(error, RejectedEvent):
        return RefusedDocument(event.raw, error.reason, error.path, event.source)
    messages = (error.diag.message_primary or str(error), error.diag.message_detail)
    return RefusedDocument(event.raw, f"Postgres: {' '.join(filter(None, messages))}", "$", event.source)


@dataclass(frozen=True)
class _Document:
    """A document in quarantine."""

    raw: bytes
    source: str


@dataclass(frozen=True)
class RetryOutcome:
    """What trying one document again came to: it is an event now, or `refused` says why not."""

    id: int
    refused: RefusedDocument | None


def retry(store: Store, numbers: Iterable[int] | None = None) -> Iterator[RetryOutcome]:
    """Try the documents with these numbers again, or all; one transaction each, so that each is in one place only.

    Whoever asks may add no event but one that is in quarantine, and may not say what is in it.
    """
    with store.session(OPERATORS, autocommit=True) as connection:
        for number in every_value(connection, int, "ingest/quarantined") if numbers is None else numbers:
            with connection.transaction():
                retried = _retry_one(connection, number)
                outcome = f"kept: {retried.refused.reason}" if retried.refused else "ingested"
                record(connection, store, "quarantine retry", quarantine.named([number]), outcome)
            yield retried


def _retry_one(connection: Connection, number: int) -> RetryOutcome:
    refused = _insert_again(connection, number, _locked(connection, number))
    if refused is not None:
        kept = {"id": number, "reason": refused.reason, "path": refused.path}
        execute(connection, "ingest/refuse_again", kept)
    return RetryOutcome(number, refused)


def _locked(connection: Connection, number: int) -> _Document:
    found = row_or_none(connection, _Document, "ingest/lock_quarantined", {"id": number}, binary=True)
    if found is None:
        raise no_such_document(number)
    return found


def _insert_again(connection: Connection, number: int, document: _Document) -> RefusedDocument | None:
    judged = judge_rows(document.raw, document.source)
    if isinstance(judged, RefusedDocument):
        return judged
    try:
        with connection.transaction():
            of = {"id": number, "event_time": judged.row["event_time"]}
            if not one_value(connection, bool, "ingest/take_in_again", of):
                raise _other_time()
    except (*REFUSALS, RejectedEvent) as error:
        return _refused(judged, error)
    return None
