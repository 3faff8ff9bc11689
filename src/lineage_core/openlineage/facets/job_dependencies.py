"""The runs that wait for one another."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="jobDependencies",
    doc="Runs that must come before or after a run.",
    specs=(Spec("JobDependenciesRunFacet", "1-0-1", (FacetSubject.RUN,)),),
)
