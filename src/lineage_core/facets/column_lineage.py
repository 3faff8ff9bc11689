"""Which columns a dataset's columns come from."""

from __future__ import annotations

from lineage_core.facets import DatasetFacetType, Facet, Owner, Spec

FACET = Facet(
    key="columnLineage",
    doc="The columns that each column of a dataset was made of.",
    specs=(Spec("ColumnLineageDatasetFacet", "1-2-0", (Owner.DATASET,)),),
    type=DatasetFacetType.DATASET,
)
