"""Which part of a dataset was read or written."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="subset",
    doc="The part of a dataset that was read or written: partitions, places, or a condition on its columns.",
    specs=(Spec("BaseSubsetDatasetFacet", "1-0-0", (FacetSubject.INPUT, FacetSubject.OUTPUT)),),
)
