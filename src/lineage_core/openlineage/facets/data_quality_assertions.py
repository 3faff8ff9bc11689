"""What a dataset was tested for."""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet, FacetSubject, Spec

FACET = Facet(
    key="dataQualityAssertions",
    doc="Tests of a dataset or its columns, and whether they passed.",
    specs=(Spec("DataQualityAssertionsDatasetFacet", "1-1-0", (FacetSubject.INPUT,)),),
    type=DatasetFacetType.INPUT,
)
