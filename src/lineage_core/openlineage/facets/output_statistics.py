"""How much of a dataset was written."""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet, Owner, Spec

FACET = Facet(
    key="outputStatistics",
    doc="Rows, bytes and files that a run wrote.",
    specs=(Spec("OutputStatisticsOutputDatasetFacet", "1-0-2", (Owner.OUTPUT,)),),
    type=DatasetFacetType.OUTPUT,
)
