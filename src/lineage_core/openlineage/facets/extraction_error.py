"""What an integration failed to extract."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="extractionError",
    doc="How many tasks of a run could not be understood, and why.",
    specs=(Spec("ExtractionErrorRunFacet", "1-1-2", (FacetSubject.RUN,)),),
)
