"""What kind of job it is."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet


class JobType(msgspec.Struct, frozen=True, rename="camel"):
    processing_type: str | None = None
    integration: str | None = None
    job_type: str | None = None


FACET = TypedFacet(
    key="jobType",
    doc="How a job processes data (batch or streaming), and which integration reported it.",
    specs=(Spec("JobTypeJobFacet", "2-0-4", (FacetSubject.JOB,)),),
    essential=True,
    model=JobType,
    feeds=("jobs.type",),
)
