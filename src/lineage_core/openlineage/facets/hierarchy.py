"""The levels above a dataset."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="hierarchy",
    doc="The levels that hold a dataset, from the highest to itself, such as database, schema, table.",
    specs=(Spec("HierarchyDatasetFacet", "1-0-0", (FacetSubject.DATASET,)),),
)
