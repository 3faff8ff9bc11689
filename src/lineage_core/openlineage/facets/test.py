"""What a run tested."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="test",
    doc="Tests that a run made, and their results.",
    specs=(Spec("TestRunFacet", "1-0-1", (FacetSubject.RUN,)),),
)
