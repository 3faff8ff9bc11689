"""column_lineage_versions: which columns of a version that was read a version that was written comes from."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import DERIVED, TIMESTAMPTZ, UUID, Column, Index, Table

TABLE = Table(
    name="column_lineage_versions",
    doc="Which pairs of columns hold between a dataset version that was written and one that was read for it.",
    columns=(
        Column("output_dataset_version_uuid", UUID, DERIVED, "The version that was written.", nullable=False),
        Column("input_dataset_version_uuid", UUID, DERIVED, "The version that was read.", nullable=False),
        Column("pairs_uuid", UUID, DERIVED, "The list of pairs, of `column_lineage_pairs`.", nullable=False),
        Column("created_at", TIMESTAMPTZ, DERIVED, "Time of the first event that says one of them.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, DERIVED, "Time of the last event that says one of them.", nullable=False),
    ),
    primary_key=("output_dataset_version_uuid", "input_dataset_version_uuid"),
    indexes=(
        Index(
            "column_lineage_versions_input_index",
            "(input_dataset_version_uuid)",
            "What was made of a version that was read.",
        ),
        Index(
            "column_lineage_versions_pairs_index",
            "(pairs_uuid)",
            "The versions between which pairs hold, for lineage of one column; whether there are any.",
        ),
    ),
    retention=(
        GoesWith("runs", statement="runs/column_lineage_versions", counted="leaving_lineages"),
        GoesWith("dataset_versions", statement="versions/column_lineage_versions"),
        Keeps("column_lineage_lists", ("pairs_uuid",)),
        Keeps("column_pairs_to_move", ("pairs_uuid",)),
    ),
)
