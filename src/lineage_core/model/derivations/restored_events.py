"""The derivation of sql/derive/restored_events.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation

DERIVATION = Derivation(
    name="restored_events",
    doc="What purged runs have left of events that were restored gives way to the events themselves.",
    again="An event of a purged run is restored.",
    reads=("new_events",),
    removes=("dataset_mentions", "event_ledger", "parent_mentions"),
    before=("derive/parent_mentions",),
)
