"""dataset_schema_histories: what the schemas of datasets are judged by."""

from __future__ import annotations

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import DERIVED, JSONB, UUID, Column, Index, Table, unenforced

TABLE = Table(
    name="dataset_schema_histories",
    doc=(
        "What the schemas of a dataset are judged by: the latest one that is known, with all fields that were ever"
        " deleted. It stays when retention deletes the versions that it comes from."
    ),
    columns=(
        Column("uuid", UUID, DERIVED, "Follows from the dataset and its history.", nullable=False),
        Column("dataset_uuid", UUID, DERIVED, "The dataset.", nullable=False, reference=unenforced("datasets")),
        Column("history", JSONB, DERIVED, "As `DatasetHistory.to_json` writes it.", nullable=False),
    ),
    primary_key=("uuid",),
    indexes=(Index("dataset_schema_histories_dataset_index", "(dataset_uuid)", "Removal of a dataset."),),
    retention=(
        Leaves("leaving_schema_histories"),
        Keeps("datasets", ("dataset_uuid",)),
    ),
)
