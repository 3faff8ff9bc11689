"""Documents that could not become rows."""

from __future__ import annotations

from typing import Any

from lineage_core import quarantine as kept
from lineage_core.pages.page import LineagePage, Reader
from lineage_core.quarantine.reasons import by_reason

LONGEST = 20_000
"""Bytes of a document that the page has."""


def quarantine(store: Reader, document: int | None = None) -> dict[str, Any]:
    """What is in quarantine, oldest first; with a document's number, its text too."""
    if document is None:
        entries = kept.entries(store)
        return {"document": None, "documents": entries, "reasons": by_reason(entries)}
    entry = kept.entry(store, document)
    text = kept.raw(store, document)[:LONGEST].decode(errors="backslashreplace")
    return {"document": entry, "text": text, "is_cut": entry.size > LONGEST}


PAGE = LineagePage("quarantine", "Quarantine", 6, quarantine)
