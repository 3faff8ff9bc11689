"""The derivation of sql/derive/dataset_facets.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation

DERIVATION = Derivation(
    name="dataset_facets",
    doc="Facets of datasets, each with the version that its mention wrote or read.",
    again="An input reads another version, or a name becomes another dataset's.",
    reads=(
        "staging.dataset_facets",
        "moved_reads",
        "new_events",
        "slice_mentions",
    ),
    writes=(
        "dataset_facets",
        "dataset_facets.dataset_version_uuid",
    ),
    before=("derive/unreferenced",),
)
