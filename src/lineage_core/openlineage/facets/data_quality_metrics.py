"""What was measured of a dataset's content."""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet, FacetSubject, Spec

FACET = Facet(
    key="dataQualityMetrics",
    doc="Row count, size, and measures of each column.",
    specs=(
        Spec("DataQualityMetricsDatasetFacet", "1-0-0", (FacetSubject.DATASET,)),
        Spec("DataQualityMetricsInputDatasetFacet", "1-0-3", (FacetSubject.INPUT,)),
    ),
    type=DatasetFacetType.INPUT,
)
