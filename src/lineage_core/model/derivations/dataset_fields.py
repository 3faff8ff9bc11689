"""The derivation of sql/derive/dataset_fields.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="dataset_fields",
    doc="The columns of datasets, each field once, as the last event that had it describes it.",
    again="A slice describes a schema, or a name becomes another dataset's.",
    reads=(
        "staging.dataset_schemas",
        "dataset_schemas",
        "datasets",
        identities("dataset_fields"),
        identities("datasets"),
        "changed_names",
        "moved_datasets",
    ),
    makes=(
        TemporaryTable(
            "moved_field_tags",
            "The tags that people gave to columns of datasets that lose or gain a name.",
        ),
    ),
    writes=(
        "dataset_fields",
        "dataset_fields_tag_mapping",
    ),
    removes=("dataset_fields",),
    before=(
        # Columns that are made anew get people's tags back before reported ones are added.
        "derive/dataset_tags",
    ),
)
