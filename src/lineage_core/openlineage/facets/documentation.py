"""What a dataset or a job is, in words."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet


class Documentation(msgspec.Struct, frozen=True):
    description: str | None = None


FACET = TypedFacet(
    key="documentation",
    doc="A description of a dataset or a job.",
    specs=(
        Spec("DocumentationDatasetFacet", "1-1-0", (FacetSubject.DATASET,)),
        Spec("DocumentationJobFacet", "1-1-0", (FacetSubject.JOB,)),
    ),
    essential=False,
    model=Documentation,
    feeds=("datasets.description", "jobs.description"),
    type=DatasetFacetType.DATASET,
)
