"""What the reasons in quarantine mean for who empties it: which documents have one cause, and what helps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lineage_core.quarantine.store import QuarantinedDocument, kind_of

_PLACE_IN_LIST = re.compile(r"\[\d+\]")

REPAIR = "Repair the producer. `export` and repair the documents that you need, and `discard` the rest."
FETCH = "These are damaged, or never were events: `retry` cannot help. Ingest the right file, and `discard` these."
RETRY = "`retry` takes these in again."
UPDATE = "Our code failed at them. Report it; after the update, or with more memory, `retry` takes them in."

_REMEDIES = (
    (("It cannot be staged", "It cannot be read", "The statement "), UPDATE),
    (("event_time is ",), RETRY),
    (
        (
            "not JSON",
            "not a JSON document",
            "not UTF-8",
            "neither a JSON object nor a list",
            "the document is cut short",
            "something that is no JSON",
            "longer than ",
        ),
        FETCH,
    ),
)
"""By what a reason begins with. Any other is a fault of what the producer says."""


@dataclass(frozen=True)
class QuarantineReason:
    """Documents that are in quarantine for one reason. `reason` has … for each number; `example` is one of them."""

    reason: str
    path: str
    documents: int
    bytes: int
    example: int
    advice: str


def advice(reason: str) -> str:
    """What helps with a document that is in quarantine for this reason."""
    return next((remedy for beginnings, remedy in _REMEDIES if reason.startswith(beginnings)), REPAIR)


def by_reason(entries: Iterable[QuarantinedDocument]) -> list[QuarantineReason]:
    """What is in quarantine by reason and place, those with the most documents first."""
    found = dict[tuple[str, str], list[QuarantinedDocument]]()
    for entry in entries:
        found.setdefault((kind_of(entry.reason), _PLACE_IN_LIST.sub("[…]", entry.path)), []).append(entry)
    counted = [
        QuarantineReason(
            reason,
            path,
            len(documents),
            sum(document.size for document in documents),
            documents[0].id,
            advice(documents[0].reason),
        )
        for (reason, path), documents in found.items()
    ]
    return sorted(counted, key=lambda one: (-one.documents, one.reason, one.path))
