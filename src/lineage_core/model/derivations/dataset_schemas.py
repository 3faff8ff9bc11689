"""The derivation of sql/derive/dataset_schemas.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="dataset_schemas",
    doc="The schema version of each schema, under the dataset's own name, and its columns' ids.",
    again="A schema is described under a symlink, or the name becomes another's.",
    reads=(
        "staging.dataset_schemas",
        "datasets",
        identities("datasets"),
        "changed_names",
    ),
    makes=(
        TemporaryTable(
            "renamed_schemas",
            "The schemas that are kept for another dataset than their name is of.",
        ),
    ),
    writes=(
        "dataset_schemas",
        identities("dataset_fields"),
    ),
    removes=(identities("dataset_fields"),),
    before=("derive/unreferenced",),
)
