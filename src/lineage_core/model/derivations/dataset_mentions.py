"""The derivation of sql/derive/dataset_mentions.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="dataset_mentions",
    doc=(
        "The mentions of the slice with the ids in use. Outputs are kept at once, inputs when it is known what "
        "they read."
    ),
    again="A name becomes another dataset's.",
    reads=(
        "staging.dataset_mentions",
        identities("dataset_versions"),
        identities("datasets"),
        "moved_datasets",
        "new_events",
    ),
    makes=(
        TemporaryTable(
            "slice_mentions",
            "The datasets that the new events name, with stored uuids, and the mentions that moved datasets give back.",
        ),
    ),
    writes=("dataset_mentions",),
    removes=("dataset_mentions",),
)
