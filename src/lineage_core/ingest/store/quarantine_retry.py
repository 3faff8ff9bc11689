"""Trying documents of the quarantine again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lineage_core.ingest.store.raw_events import insert
from lineage_core.model.arrivals import RefusedDocument, judge
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_value, execute, row_or_none
from lineage_core.quarantine import no_such_document


@dataclass(frozen=True)
class _Document:
    """A document in quarantine."""

    raw: bytes
    source: str


@dataclass(frozen=True)
class Retried:
    """What trying one document again came to: it is an event now, or `refused` says why not."""

    id: int
    refused: RefusedDocument | None


def retry(store: Store, numbers: Sequence[int] | None = None) -> Iterator[Retried]:
    """Try the documents with these numbers again, or all; one transaction each, so that each is in one place only."""
    with store.session("lineage_jobs together with lineage_ingest", autocommit=True) as connection:
        for number in every_value(connection, int, "ingest/quarantined") if numbers is None else numbers:
            with connection.transaction():
                retried = _retry_one(connection, number)
            yield retried


def _retry_one(connection: Connection, number: int) -> Retried:
    refused = _insert_again(connection, _locked(connection, number))
    if refused is None:
        execute(connection, "ingest/remove_quarantined", {"id": number})
    else:
        kept = {"id": number, "reason": refused.reason, "path": refused.path}
        execute(connection, "ingest/refuse_again", kept)
    return Retried(number, refused)


def _locked(connection: Connection, number: int) -> _Document:
    found = row_or_none(connection, _Document, "ingest/lock_quarantined", {"id": number}, binary=True)
    if found is None:
        raise no_such_document(number)
    return found


def _insert_again(connection: Connection, document: _Document) -> RefusedDocument | None:
    judged = judge(document.raw, document.source)
    if isinstance(judged, RefusedDocument):
        return judged
    return next(iter(insert(connection, [judged])), None)
