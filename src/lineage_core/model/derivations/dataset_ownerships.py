"""The derivation of sql/derive/dataset_ownerships.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="dataset_ownerships",
    doc="The owners of datasets, by the last facet that says them.",
    again="A facet says some, or a name becomes another dataset's.",
    reads=(
        "dataset_labels",
        "owners",
        "labelled_datasets",
    ),
    makes=(
        TemporaryTable(
            "reported_dataset_owners",
            "The owners that each dataset that the slice labels should have.",
        ),
    ),
    writes=("dataset_ownerships",),
    removes=("dataset_ownerships",),
    before=("derive/unreferenced",),
)
