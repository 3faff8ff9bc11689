"""The quarantine: documents that could not become rows, put in and looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from lineage_core.acts.store import record
from lineage_core.capability import counted
from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import NotInStore, WrongUsage
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import each_row, every_row, every_value, execute_each, row_or_none, value_or_none

_NUMBER = re.compile(r"\d[\d,.]*")


def kind_of(reason: str) -> str:
    """A reason without what differs from document to document: its numbers, and where in our code it came up."""
    return _NUMBER.sub("…", reason.partition("\n")[0])


@dataclass(frozen=True)
class QuarantinedDocument:
    """A document in quarantine, without its text. `size` is in bytes."""

    id: int
    reason: str
    path: str
    source: str
    received_at: datetime
    size: int


@dataclass(frozen=True)
class WholeDocument(QuarantinedDocument):
    """A document in quarantine, with its text, byte for byte."""

    raw: bytes


def put(connection: Connection, documents: Sequence[RefusedDocument]) -> None:
    """Keep documents; one that is there already stays as it is."""
    if documents:
        execute_each(connection, "quarantine/put", [_values(document) for document in documents])


def _values(document: RefusedDocument) -> dict[str, object]:
    return {"reason": document.reason, "path": document.path, "raw": document.raw, "source": document.source}


def entries(store: Store, after: int = 0, most: int | None = None) -> list[QuarantinedDocument]:
    """What is in quarantine, oldest first: `most` documents behind the one of a number; by default all of them."""
    with store.session("lineage_reader") as connection:
        asked = {"after": after, "most": most}
        return every_row(connection, QuarantinedDocument, "quarantine/entries", asked)


def entry(store: Store, number: int) -> QuarantinedDocument:
    with store.session("lineage_reader") as connection:
        found = row_or_none(connection, QuarantinedDocument, "quarantine/entry", {"id": number})
    if found is None:
        raise no_such_document(number)
    return found


def chosen(store: Store, numbers: Sequence[int] | None, reason: str | None, everything: bool = False) -> list[int]:
    """The numbers of the documents that somebody has chosen: by their numbers, by a reason as `kind_of` has it, or all.

    Raises WrongUsage unless it is one of these, and if no document has the reason.
    """
    if [bool(numbers), reason is not None, everything].count(True) != 1:
        raise WrongUsage("Name the documents by their numbers, or by --reason, or all of them by --all.")
    if numbers:
        return list(dict.fromkeys(numbers))
    of_reason = [entry.id for entry in entries(store) if reason in (None, kind_of(entry.reason), entry.reason)]
    if reason is not None and not of_reason:
        raise WrongUsage(
            f"No document is in quarantine for {reason!r}; `lineage quarantine list --by-reason` lists the reasons."
        )
    return of_reason


def discard(store: Store, numbers: Sequence[int], why: str) -> None:
    """Takes documents out of quarantine for good. Raises WrongUsage, and takes none, if one of them is not there."""
    if not why.strip():
        raise WrongUsage("Say in --why why the documents are not needed.")
    with store.session(OPERATORS) as connection:
        given = {"documents": list(numbers), "why": why}
        taken = every_value(connection, int, "quarantine/discard", given)
        for missing in sorted(set(numbers) - set(taken)):
            raise no_such_document(missing)
        record(connection, store, "quarantine discard", named(taken), f"discarded: {why}")


def named(numbers: Sequence[int]) -> str:
    """Documents of the quarantine, as an act names them."""
    return f"{counted(len(numbers), 'document')}: {', '.join(map(str, numbers))}"


def raw(store: Store, number: int) -> bytes:
    """A document as it arrived, byte for byte."""
    with store.session("lineage_reader") as connection:
        found = value_or_none(connection, bytes, "quarantine/raw", {"id": number}, binary=True)
    if found is None:
        raise no_such_document(number)
    return found


def whole_documents(store: Store, numbers: Sequence[int]) -> Iterator[WholeDocument]:
    """Those of the documents that are in quarantine. No more than one is in memory."""
    with store.session("lineage_reader") as connection:
        parameters = {"documents": list(numbers)}
        yield from each_row(connection, WholeDocument, "quarantine/whole_documents", parameters, at_once=1, binary=True)


def no_such_document(number: int) -> NotInStore:
    return NotInStore(f"Nothing in quarantine has the number {number}; `lineage quarantine list` shows what is there.")
