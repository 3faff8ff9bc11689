"""column_lineage_inputs: which datasets a description of columns takes them from."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import DERIVED, UUID, Column, Index, Reference, Table

TABLE = Table(
    name="column_lineage_inputs",
    doc="Which datasets a description of an output's columns takes them from, each once.",
    columns=(
        Column(
            "lineage_uuid",
            UUID,
            DERIVED,
            "The description.",
            nullable=False,
            reference=Reference("dataset_column_lineages"),
        ),
        Column("name_uuid", UUID, DERIVED, "Key of the name of a dataset in it.", nullable=False),
    ),
    primary_key=("lineage_uuid", "name_uuid"),
    indexes=(
        Index("column_lineage_inputs_name_index", "(name_uuid)", "What takes its columns from a dataset, downstream."),
    ),
    retention=(GoesWith("dataset_column_lineages", "lineage_uuid"),),
)
