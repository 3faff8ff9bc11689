"""What a run did to a dataset as a whole."""

from __future__ import annotations

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet


class LifecycleStateChange(msgspec.Struct, frozen=True, rename="camel"):
    """Of the states only DROP and RENAME mean something to the tables; the others are kept as they are."""

    lifecycle_state_change: str | None = None
    previous_identifier: object = None
    """Of a RENAME. Of any shape, as a producer that writes it otherwise has still stated the state."""

    def previous_name(self) -> tuple[str, str] | None:
        """Namespace and name before a RENAME; None if the facet does not say them."""
        match self.previous_identifier:
            case {"namespace": str(namespace), "name": str(name)}:
                return namespace, name
        return None


LONGEST_LIFECYCLE_STATE = 63
"""Characters, as `dataset_versions.lifecycle_state` has it."""


def _check(content: LifecycleStateChange, path: str) -> None:
    if len(content.lifecycle_state_change or "") > LONGEST_LIFECYCLE_STATE:
        reason = f"a lifecycle state has more than {LONGEST_LIFECYCLE_STATE} characters"
        raise RejectedEvent(reason, f"{path}.lifecycleStateChange")


FACET = TypedFacet(
    key="lifecycleStateChange",
    doc="What a run did to a dataset as a whole, for instance dropped or renamed it.",
    specs=(Spec("LifecycleStateChangeDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    essential=True,
    model=LifecycleStateChange,
    check=_check,
    feeds=("dataset_versions.lifecycle_state", "datasets.is_deleted", "dataset_endings"),
    type=DatasetFacetType.DATASET,
)
