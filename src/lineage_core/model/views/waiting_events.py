"""waiting_events: raw events that are not normalized."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="waiting_events",
    doc="Raw events that are not normalized: the watermark has not passed them, the ledger does not have them, and they"
    " are not expired.",
    readers="the fall-back of `lineage_core.reading`",
    reads=("event_ledger", "lineage_events", "watermarks"),
)
