"""A dataset's version, as its storage counts it."""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet, FacetSubject, Spec

FACET = Facet(
    key="version",
    doc="The version that the storage of a dataset gives it, such as an Iceberg snapshot.",
    specs=(Spec("DatasetVersionDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    type=DatasetFacetType.DATASET,
)
