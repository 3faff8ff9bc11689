"""dataset_column_lineages: every description of where the columns of an output come from."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import Leaves
from lineage_core.declare.vocabulary import JSONB, KEY, SAME, UUID, Column, Row, Table
from lineage_core.model.meaning.column_lineages import described_lineages
from lineage_core.openlineage.events import Event


def rows(event: Event) -> Iterator[Row]:
    for lineage in described_lineages(event).values():
        yield {"uuid": lineage.uuid, "pairs": lineage.pairs}


TABLE = Table(
    name="dataset_column_lineages",
    doc="Every description of where the columns of an output come from; runs that say the same share it."
    " column_lineage follows from it.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the pairs.", nullable=False),
        Column(
            "pairs",
            JSONB,
            SAME,
            "A list of: name and type of the output column, key of the input dataset, name of its column, and type and"
            " description of the transformation.",
            nullable=False,
        ),
    ),
    primary_key=("uuid",),
    retention=(Leaves("leaving_dataset_column_lineages", planned="uuid"),),
)
