"""The derivation of sql/derive/made_versions.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="made_versions",
    doc="Which versions mentions make or unmake, and what their first mentions say.",
    again="A mention makes, changes or unmakes a version.",
    reads=(
        "dataset_mentions",
        "dataset_schemas",
        "dataset_versions",
        "moved_reads",
        "slice_mentions",
    ),
    makes=(
        TemporaryTable(
            "recounted_versions",
            "The versions that an earlier read makes no longer, or makes now.",
        ),
        TemporaryTable(
            "made_versions",
            "Versions that are new, that have another first mention than before, or that are counted anew.",
        ),
        TemporaryTable("written_versions", "The versions that the slice's runs write."),
        TemporaryTable("unmade_versions", "The versions that no mention makes any more."),
    ),
)
