"""The derivation of sql/derive/inputs_read.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="inputs_read",
    doc="The version that each input read, by the timeline.",
    again="The timeline changes before it.",
    reads=(
        "dataset_version_timeline",
        "changed_timelines",
    ),
    makes=(
        TemporaryTable(
            "resolved_reads",
            "Inputs of new events, and those of earlier slices behind a change of the timeline, that read another"
            " version than they are kept with.",
        ),
        TemporaryTable(
            "moved_reads",
            "Inputs of earlier slices that late events have now read another version.",
        ),
    ),
    writes=(
        "dataset_mentions",
        "slice_mentions",
    ),
)
