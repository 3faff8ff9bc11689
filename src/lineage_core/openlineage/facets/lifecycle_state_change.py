"""What a run did to a dataset as a whole."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet


class LifecycleStateChange(msgspec.Struct, frozen=True, rename="camel"):
    """Of the states only DROP means something to the tables; the others, and unknown ones, are kept as they are."""

    lifecycle_state_change: str | None = None


FACET = TypedFacet(
    key="lifecycleStateChange",
    doc="What a run did to a dataset as a whole, for instance dropped or renamed it.",
    specs=(Spec("LifecycleStateChangeDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    essential=True,
    model=LifecycleStateChange,
    feeds=("dataset_versions.lifecycle_state", "datasets.is_deleted"),
    type=DatasetFacetType.DATASET,
)
