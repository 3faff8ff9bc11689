"""What a run was called with."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="executionParameters",
    doc="The parameters that a job was given when it ran.",
    specs=(Spec("ExecutionParametersRunFacet", "1-0-0", (FacetSubject.RUN,)),),
)
