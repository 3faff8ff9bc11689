"""Where the code of a job is."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet


class SourceCodeLocation(msgspec.Struct, frozen=True):
    url: str | None = None


FACET = TypedFacet(
    key="sourceCodeLocation",
    doc="Where the code of a job is.",
    specs=(Spec("SourceCodeLocationJobFacet", "1-1-0", (FacetSubject.JOB,)),),
    essential=False,
    model=SourceCodeLocation,
    feeds=("jobs.current_location", "job_versions.location", "runs.location"),
)
