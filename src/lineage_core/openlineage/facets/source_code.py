"""The code of a job."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="sourceCode",
    doc="The code of a job and its language.",
    specs=(Spec("SourceCodeJobFacet", "1-0-1", (FacetSubject.JOB,)),),
)
