"""What kind of dataset it is."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="datasetType",
    doc="The kind of a dataset, such as table, view, file, topic or model.",
    specs=(Spec("DatasetTypeDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
)
