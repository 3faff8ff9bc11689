"""The derivation of sql/derive/moved_datasets.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="moved_datasets",
    doc=(
        "What was derived under a name that is another dataset's now is taken away, and derived anew by what follows."
    ),
    again="A name becomes another dataset's.",
    reads=(
        "dataset_mentions",
        "datasets",
        "changed_names",
    ),
    makes=(
        TemporaryTable(
            "moved_datasets",
            "The datasets that lose or gain a name under which mentions are stored, and those that share the id "
            "of a version or of a schema version with one of them.",
        ),
    ),
    writes=(
        "dataset_labels",
        "dataset_symlinks",
        "datasets.current_version_uuid",
    ),
    removes=(
        "dataset_schema_versions",
        "dataset_version_timeline",
        "dataset_versions",
    ),
)
