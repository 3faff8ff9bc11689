"""The derivation of sql/derive/new_events.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="new_events",
    doc="The staged events that the ledger does not hold, each once.",
    again="A slice is merged.",
    reads=(
        "staging.event_ledger",
        "event_ledger",
        identities("jobs"),
    ),
    makes=(
        TemporaryTable(
            "new_events",
            "The staged events that the ledger does not hold, each once however often it was staged.",
        ),
    ),
)
