"""How much of a dataset was read."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="inputStatistics",
    doc="Rows, bytes and files that a run read.",
    specs=(Spec("InputStatisticsInputDatasetFacet", "1-0-0", (FacetSubject.INPUT,)),),
)
