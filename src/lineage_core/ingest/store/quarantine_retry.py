"""Trying documents of the quarantine again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lineage_core.ingest.store.raw_events import insert
from lineage_core.model.arrivals import Refused, judge
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.quarantine import unknown


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
    return next(iter(insert(connection, [judged])), None)
