"""The derivation of sql/derive/unreferenced.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="unreferenced",
    doc=(
        "What late events have made untrue goes: versions that no mention makes, schema versions and job versions "
        "that nothing has, datasets whose name is another's."
    ),
    again=(
        "A version is unmade or has another schema version, a moment makes another job version, or a name becomes "
        "another dataset's."
    ),
    reads=(
        "dataset_fields",
        "changed_names",
        "left_schema_versions",
        "touched_job_versions",
        "touched_schema_versions",
        "unmade_versions",
    ),
    makes=(TemporaryTable("unreferenced_schema_versions", "The schema versions that nothing has."),),
    writes=(
        "dataset_schema_versions",
        "datasets_tag_mapping",
    ),
    removes=(
        "dataset_schema_versions",
        "dataset_schema_versions_field_mapping",
        "dataset_versions",
        "datasets",
        "job_versions",
    ),
)
