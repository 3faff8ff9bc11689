"""Documents that could not become rows."""

from __future__ import annotations

from typing import Any

from lineage_core import quarantine as kept
from lineage_core.pages.page import LineagePage, Reader
from lineage_core.quarantine.marking import marked_text
from lineage_core.quarantine.reasons import by_reason

LONGEST = 20_000
"""Characters of a document that the page has."""


def quarantine(store: Reader, document: int | None = None) -> dict[str, Any]:
    """What is in quarantine, oldest first; with a document's number, its text too, and where in it the fault is."""
    if document is None:
        entries = kept.entries(store)
        return {"document": None, "documents": entries, "reasons": by_reason(entries)}
    entry = kept.entry(store, document)
    shown = marked_text(kept.raw(store, document), entry.path, LONGEST)
    return {
        "document": entry,
        "text": shown.text,
        "fault": shown.fault,
        "is_cut": shown.is_cut_before or shown.is_cut_behind,
        "is_cut_before": shown.is_cut_before,
    }


PAGE = LineagePage("quarantine", "Quarantine", 6, quarantine)
