"""Documents that could not become rows."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core import quarantine as kept
from lineage_core.pages.page import LAST_NUMBER, Limit, LineagePage, Reader
from lineage_core.pages.rows import MOST_ROWS
from lineage_core.quarantine import QuarantinedDocument
from lineage_core.quarantine.marking import MarkedSpan, marked_text
from lineage_core.quarantine.reasons import QuarantineReason, by_reason

LONGEST = 20_000
"""Characters of a document that the page has."""


COUNTED = 10_000
"""Documents, oldest first, whose reasons are counted."""

REASONS = 100
"""Most that the page has."""


class QuarantineList(TypedDict):
    """next: `after` of the next page. has_all_reasons: whether `reasons` are those of all documents, and all of
    them."""

    document: None
    complete: bool
    next: int | None
    documents: list[QuarantinedDocument]
    reasons: list[QuarantineReason]
    has_all_reasons: bool


class QuarantinePage(TypedDict):
    """text: a part of the document, if it is long. fault: where in the text it is; null if it is the document as a
    whole, or was not looked for. is_cut: whether the document has more than the text."""

    document: QuarantinedDocument
    text: str
    fault: MarkedSpan | None
    is_cut: bool
    is_cut_before: bool


def quarantine(
    store: Reader,
    document: int | None = None,
    limit: Limit = MOST_ROWS,
    after: Annotated[int, Query(ge=0, le=LAST_NUMBER, description="Only documents behind the one of this number.")] = 0,
) -> QuarantinePage | QuarantineList:
    """What is in quarantine, oldest first; with a document's number, its text too, and where in it the fault is."""
    if document is None:
        return _documents(store, limit, after)
    entry = kept.entry(store, document)
    shown = marked_text(kept.raw(store, document), entry.path, LONGEST)
    return {
        "document": entry,
        "text": shown.text,
        "fault": shown.fault,
        "is_cut": shown.is_cut_before or shown.is_cut_behind,
        "is_cut_before": shown.is_cut_before,
    }


def _documents(store: Reader, limit: int, after: int) -> QuarantineList:
    found, counted = kept.entries(store, after, limit + 1), kept.entries(store, most=COUNTED + 1)
    complete, reasons = len(found) <= limit, by_reason(counted[:COUNTED])
    return {
        "document": None,
        "complete": complete,
        "next": None if complete else found[limit - 1].id,
        "documents": found[:limit],
        "reasons": reasons[:REASONS],
        "has_all_reasons": len(counted) <= COUNTED and len(reasons) <= REASONS,
    }


PAGE = LineagePage("quarantine", "Quarantine", 6, quarantine)
