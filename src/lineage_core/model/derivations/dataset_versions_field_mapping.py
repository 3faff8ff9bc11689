"""The derivation of sql/derive/dataset_versions_field_mapping.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation

DERIVATION = Derivation(
    name="dataset_versions_field_mapping",
    doc="The old mapping: the fields of each version's schema version.",
    again="A version is made, or references another schema version.",
    reads=(
        "dataset_fields",
        "dataset_schema_versions_field_mapping",
        "moved_reads",
        "renamed_versions",
        "version_schemas",
    ),
    writes=("dataset_versions_field_mapping",),
    removes=("dataset_versions_field_mapping",),
    before=("derive/unreferenced",),
)
