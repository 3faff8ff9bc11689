"""What a run ran on."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="processing_engine",
    doc="The engine that ran a job, such as Spark, with its version.",
    specs=(Spec("ProcessingEngineRunFacet", "1-1-1", (FacetSubject.RUN,)),),
)
