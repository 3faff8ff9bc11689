"""How much of a dataset was written."""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet, FacetSubject, Spec

FACET = Facet(
    key="outputStatistics",
    doc="Rows, bytes and files that a run wrote.",
    specs=(Spec("OutputStatisticsOutputDatasetFacet", "1-0-2", (FacetSubject.OUTPUT,)),),
    type=DatasetFacetType.OUTPUT,
)
