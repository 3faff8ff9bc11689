"""The derivation of sql/derive/datasets.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, identities

DERIVATION = Derivation(
    name="datasets",
    doc="Datasets, by all of their names: each has what the first and the last event said of it.",
    again="A slice names it, or a name becomes or ceases to be its.",
    reads=(
        "staging.dataset_names",
        "dataset_names",
        identities("datasets"),
        "changed_names",
    ),
    writes=("datasets",),
)
