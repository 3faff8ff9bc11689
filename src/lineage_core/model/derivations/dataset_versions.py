"""The derivation of sql/derive/dataset_versions.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="dataset_versions",
    doc="The versions that mentions make, and which of them is current.",
    again="A mention makes or changes a version, or the timeline changes.",
    reads=(
        "dataset_version_timeline",
        "datasets",
        identities("dataset_versions"),
        "changed_timelines",
        "made_versions",
        "version_schemas",
        "written_versions",
    ),
    makes=(
        TemporaryTable("renamed_versions", "Versions whose first mention is now one by another name."),
        TemporaryTable("redescribed_versions", "Versions that list their fields otherwise now."),
        TemporaryTable("reshaped_versions", "Versions that have other fields now."),
    ),
    writes=(
        "dataset_versions",
        "datasets.current_version_uuid",
    ),
)
