"""The catalog that knows a dataset."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="catalog",
    doc="The catalog that knows a dataset, and where its metadata and data are.",
    specs=(Spec("CatalogDatasetFacet", "1-1-0", (FacetSubject.DATASET,)),),
)
