"""Trying documents of the quarantine again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lineage_core.arrivals import Accepted, Refused, judge
from lineage_core.errors import RejectedEvent
from lineage_core.events import parse
from lineage_core.folding import RowMaker
from lineage_core.store.connection import Connection, connect
from lineage_core.store.failures import explained
from lineage_core.store.quarantine import unknown
from lineage_core.store.raw_events import insert
from lineage_core.tables import all_tables


@dataclass(frozen=True)
class Retried:
    """What trying one document again came to: it is an event now, or `refused` says why not."""

    id: int
    refused: Refused | None


def retry(dsn: str, numbers: Sequence[int] | None = None) -> Iterator[Retried]:
    """Try the documents with these numbers again, or all; one transaction each, so that each is in one place only."""
    with explained("lineage_jobs together with lineage_ingest"), connect(dsn, autocommit=True) as connection:
        for number in _all_numbers(connection) if numbers is None else numbers:
            with connection.transaction():
                retried = _retry_one(connection, number)
            yield retried


def _all_numbers(connection: Connection) -> list[int]:
    return [number for (number,) in connection.execute("SELECT id FROM quarantine ORDER BY id")]


def _retry_one(connection: Connection, number: int) -> Retried:
    refused = _insert_again(connection, *_locked(connection, number))
    if refused is None:
        connection.execute("DELETE FROM quarantine WHERE id = %s", [number])
    else:
        connection.execute(
            "UPDATE quarantine SET reason = %s, path = %s WHERE id = %s", [refused.reason, refused.path, number]
        )
    return Retried(number, refused)


def _locked(connection: Connection, number: int) -> tuple[bytes, str]:
    select = "SELECT raw, source FROM quarantine WHERE id = %s FOR UPDATE"
    found = connection.execute(select, [number], binary=True).fetchone()
    if found is None:
        raise unknown(number)
    return bytes(found[0]), found[1]


def _insert_again(connection: Connection, raw: bytes, source: str) -> Refused | None:
    judged = judge(raw, source)
    if isinstance(judged, Refused):
        return judged
    return _fault_in_rows(judged) or next(iter(insert(connection, [judged])), None)


def _fault_in_rows(accepted: Accepted) -> Refused | None:
    """What would bring the event back here when it is normalized: a facet that a table needs is malformed, perhaps."""
    event = parse(accepted.raw)
    makers = (RowMaker(table) for table in all_tables() if table.rows is not None)
    try:
        for maker in makers:
            maker.rows(event, event.order, event.earliest_order)
    except RejectedEvent as rejected:
        return Refused(accepted.raw, rejected.reason, rejected.path, accepted.source)
    return None
