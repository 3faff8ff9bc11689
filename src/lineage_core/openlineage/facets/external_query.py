"""A query that a run left to another system."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="externalQuery",
    doc="The id of a query in the system that ran it.",
    specs=(Spec("ExternalQueryRunFacet", "1-0-2", (FacetSubject.RUN,)),),
)
