"""What becomes of a document that arrives: a row of `lineage_events`, or one of `quarantine`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import Row
from lineage_core.errors import RejectedEvent, traceback_text
from lineage_core.model.folding import RowMaker
from lineage_core.model.meaning.typed_facets import check_essential
from lineage_core.openlineage.documents import KEPT_OF_LONGER, too_long
from lineage_core.openlineage.events import AnyMention, Event
from lineage_core.openlineage.json_limits import LONGEST_DOCUMENT, check_characters
from lineage_core.openlineage.parsing import parse
from lineage_core.openlineage.written_size import check_written_size


@dataclass(frozen=True, slots=True)
class AcceptedEvent:
    """An event, as what a row of `lineage_events` is handed in as. `source` says where the document came from.

    `namespace` is that of its job, or of the dataset of a dataset event, as Marquez stores it: who may write that may
    send the event.
    """

    row: Row
    namespace: str
    raw: bytes
    source: str


@dataclass(frozen=True, slots=True)
class RefusedDocument:
    """A document that is no event: byte for byte, with the reason and the place of the fault in it."""

    raw: bytes
    reason: str
    path: str
    source: str


def judge(raw: bytes, source: str) -> AcceptedEvent | RefusedDocument:
    """Whether a document is an event whose essential facets can be read.

    What takes more room than tables have is found when it is normalized: to make all rows takes some ten times as long.
    The document itself is stored, never a text written anew from what was read. One at which our own code fails is
    refused, too: those behind it must not wait until that is mended.
    """
    return _judged(raw, source, check_facets)


def judge_rows(raw: bytes, source: str) -> AcceptedEvent | RefusedDocument:
    """Whether a document is an event that tables can take. Later it could be refused only as Postgres' jsonb writes it.

    For a document that was refused before, perhaps as no table can hold it.
    """
    return _judged(raw, source, check_rows)


def _judged(raw: bytes, source: str, check: Callable[[Event], None]) -> AcceptedEvent | RefusedDocument:
    if len(raw) > LONGEST_DOCUMENT:
        return RefusedDocument(raw[:KEPT_OF_LONGER], too_long(), "$", source)
    try:
        event = parse(raw)
        check_written_size(raw)
        check(event)
        return AcceptedEvent({"event_time": event.time, "event": raw}, _namespace(event), raw, source)
    except RejectedEvent as rejected:
        return RefusedDocument(raw, rejected.reason, rejected.path, source)
    except Exception as fault:
        return RefusedDocument(raw, f"It cannot be read: {traceback_text(fault)}", "$", source)


def _namespace(event: Event) -> str:
    return event.job.formatted if event.job else event.datasets[0].formatted


def refuse(raw: bytes, fault: str, source: str) -> RefusedDocument:
    """For a document that could not be read: half a surrogate pair is no JSON to some readers, but has a place."""
    try:
        check_characters(raw)
    except RejectedEvent as rejected:
        return RefusedDocument(raw, rejected.reason, rejected.path, source)
    return RefusedDocument(raw, fault, "$", source)


def check_facets(event: Event) -> None:
    """Raises RejectedEvent, with the place, if an essential facet cannot be read. A mention that many events share is
    looked at once."""
    for mention in event.mentions:
        mention.described_by(_ReadFacets)


class _ReadFacets:
    """Says of a mention that its essential facets can be read."""

    def __init__(self, mention: AnyMention) -> None:
        check_essential(mention)


def check_rows(event: Event) -> None:
    """Raises RejectedEvent if its rows cannot be made: a facet that a table needs is malformed, perhaps.

    Those of a mention that many events share are made once: they can be made of all, or of none.
    """
    unchecked = [mention for mention in event.mentions if _Checked not in mention.descriptions]
    for maker in _makers():
        for _ in maker.rows(event, unchecked):
            pass
    for mention in unchecked:
        mention.described_by(_Checked)


class _Checked:
    """Says of a mention that its rows were made."""

    def __init__(self, _mention: AnyMention) -> None:
        """They were made of no more than what the mention says."""


@cache
def _makers() -> tuple[RowMaker, ...]:
    return tuple(RowMaker(table) for table in all_tables() if table.rows is not None)
