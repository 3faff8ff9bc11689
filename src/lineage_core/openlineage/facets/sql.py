"""The SQL of a job."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="sql",
    doc="The SQL query of a job.",
    specs=(Spec("SQLJobFacet", "1-1-0", (FacetSubject.JOB,)),),
)
