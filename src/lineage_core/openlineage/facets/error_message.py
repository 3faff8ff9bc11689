"""Why a run failed."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="errorMessage",
    doc="The error message of a failed run, with its language and stack trace.",
    specs=(Spec("ErrorMessageRunFacet", "1-0-1", (FacetSubject.RUN,)),),
)
