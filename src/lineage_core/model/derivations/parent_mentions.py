"""The derivation of sql/derive/parent_mentions.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="parent_mentions",
    doc="Which job each named parent is, and which run stands for the one that is named.",
    again="An event names a parent, or a parent reports for the first time or as another job.",
    reads=(
        "staging.parent_mentions",
        identities("jobs"),
        "runs",
        "new_events",
        "runs_before",
    ),
    makes=(
        TemporaryTable("slice_parents", "The parents that the new events name, with stored uuids."),
        TemporaryTable(
            "touched_parents",
            "The runs that new events name as parents, and those that are another job's than before.",
        ),
        TemporaryTable(
            "settled_parents",
            "The new mentions, and the earlier ones that are judged again, each with what follows from it now.",
        ),
    ),
    writes=("parent_mentions",),
)
