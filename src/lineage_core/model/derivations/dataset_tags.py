"""The derivation of sql/derive/dataset_tags.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="dataset_tags",
    doc="The tags of datasets and of their columns, by the last facet that says them.",
    again="A facet says some, a column of a tagged dataset is described, or a name becomes another dataset's.",
    reads=(
        "staging.dataset_labels",
        "staging.dataset_schemas",
        "dataset_fields",
        "dataset_labels",
        "dataset_schemas",
        "datasets",
        "tags",
        "changed_names",
        "moved_datasets",
    ),
    makes=(
        TemporaryTable(
            "labelled_datasets",
            "The datasets that the slice labels, those whose columns it describes, those that lose or gain a "
            "name, and those whose columns are made anew.",
        ),
        TemporaryTable("reported_dataset_tags", "The tags that each of these datasets should bear."),
    ),
    writes=(
        "dataset_fields_tag_mapping",
        "datasets_tag_mapping",
    ),
    removes=(
        "dataset_fields_tag_mapping",
        "datasets_tag_mapping",
    ),
    before=("derive/unreferenced",),
)
