"""The partitions of lineage_events: made before their month, and the default one emptied, with nobody kept waiting.

Locks of others are waited for, and kept, for a moment only; what does not succeed is left to the next call.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from psycopg import Rollback, errors

from lineage_core.errors import WrongUsage
from lineage_core.postgres.brief_locks import attempts, keep_brief
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, one_value, value_or_none

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
    if not 0 <= months_ahead <= MOST_MONTHS_AHEAD:
        raise WrongUsage(f"months_ahead must be from 0 to {MOST_MONTHS_AHEAD}, not {months_ahead}")
    until = time.monotonic() + moving_seconds
    with store.session("lineage_jobs", autocommit=True) as connection:
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
