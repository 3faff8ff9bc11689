"""How a dataset is stored."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="storage",
    doc="The storage layer and file format of a dataset.",
    specs=(Spec("StorageDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
)
