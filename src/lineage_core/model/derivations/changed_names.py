"""The derivation of sql/derive/changed_names.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="changed_names",
    doc="Whose the names of datasets are, by their first claims.",
    again="A slice brings an earlier claim.",
    reads=(
        "staging.dataset_names",
        "dataset_names",
    ),
    makes=(
        TemporaryTable(
            "changed_names",
            "Names that turn out to be another dataset's than they were, or than their key says.",
        ),
    ),
    writes=(identities("datasets"), "datasets"),
    removes=(identities("datasets"),),
)
