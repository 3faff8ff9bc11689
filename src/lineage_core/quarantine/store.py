"""The quarantine: documents that could not become rows, put in and looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lineage_core.errors import WrongUsage
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute_each, row_or_none, value_or_none


@dataclass(frozen=True)
class QuarantinedDocument:
    """A document in quarantine, without its text. `size` is in bytes."""

    id: int
    reason: str
    path: str
    source: str
    received_at: datetime
    size: int


def put(connection: Connection, documents: Sequence[RefusedDocument]) -> None:
    """Keep documents; one that is there already stays as it is."""
    if documents:
        execute_each(connection, "quarantine/put", [_values(document) for document in documents])


def _values(document: RefusedDocument) -> dict[str, object]:
    return {"reason": document.reason, "path": document.path, "raw": document.raw, "source": document.source}


def entries(store: Store) -> list[QuarantinedDocument]:
    """All that is in quarantine, oldest first."""
    with store.session("lineage_reader") as connection:
        return every_row(connection, QuarantinedDocument, "quarantine/entries")


def entry(store: Store, number: int) -> QuarantinedDocument:
    with store.session("lineage_reader") as connection:
        found = row_or_none(connection, QuarantinedDocument, "quarantine/entry", {"id": number})
    if found is None:
        raise no_such_document(number)
    return found


def raw(store: Store, number: int) -> bytes:
    """A document as it arrived, byte for byte."""
    with store.session("lineage_reader") as connection:
        found = value_or_none(connection, bytes, "quarantine/raw", {"id": number}, binary=True)
    if found is None:
        raise no_such_document(number)
    return found


def no_such_document(number: int) -> WrongUsage:
    return WrongUsage(f"Nothing in quarantine has the number {number}; `lineage quarantine list` shows what is there.")
