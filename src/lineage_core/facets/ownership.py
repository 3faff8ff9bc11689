"""Who owns a dataset or a job."""

from __future__ import annotations

from lineage_core.facets import DatasetFacetType, Facet, Owner, Spec

FACET = Facet(
    key="ownership",
    doc="The owners of a dataset or a job.",
    specs=(
        Spec("OwnershipDatasetFacet", "1-0-1", (Owner.DATASET,)),
        Spec("OwnershipJobFacet", "1-0-1", (Owner.JOB,)),
    ),
    type=DatasetFacetType.DATASET,
)
