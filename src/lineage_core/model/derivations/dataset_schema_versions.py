"""The derivation of sql/derive/dataset_schema_versions.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="dataset_schema_versions",
    doc="Schema versions and their fields, by the schemas of all mentions of a version.",
    again="A version is made; a mention gives it a field that it does not have; a read moves away from it.",
    reads=(
        "dataset_mentions",
        "dataset_schemas",
        "dataset_versions",
        "datasets",
        identities("dataset_fields"),
        "made_versions",
        "moved_reads",
        "slice_mentions",
        "unmade_versions",
    ),
    makes=(
        TemporaryTable(
            "version_schemas",
            "The schema version of each version that the slice makes, or whose set of fields it changes.",
        ),
        TemporaryTable(
            "drifted_versions",
            "Versions that a new mention, or one that moved here, describes by a field that they do not have, "
            "versions that a read moved away from, and versions that turn out to be another dataset's; each with "
            "all schemas under which it was written or read.",
        ),
        TemporaryTable(
            "amended_schemas",
            "The schema version of all fields of those schemas that are a dataset's; versions that share these "
            "share it.",
        ),
        TemporaryTable(
            "touched_schema_versions",
            "The schema versions that versions get now, had before, or had only until their drift was seen.",
        ),
        TemporaryTable(
            "left_schema_versions",
            "The schema versions that versions may have had, and have no longer, while others have them still.",
        ),
    ),
    writes=(
        "dataset_schema_versions",
        "dataset_schema_versions_field_mapping",
    ),
)
