"""The environment of a run."""

from __future__ import annotations

from lineage_core.openlineage.facets import Facet, FacetSubject, Spec

FACET = Facet(
    key="environmentVariables",
    doc="Names and values of environment variables that a run had.",
    specs=(Spec("EnvironmentVariablesRunFacet", "1-0-0", (FacetSubject.RUN,)),),
)
