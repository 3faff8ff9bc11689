"""Who owns a dataset or a job."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.name_limits import check_name


class NamedOwner(msgspec.Struct, frozen=True):
    name: str
    type: str | None = None


class Ownership(msgspec.Struct, frozen=True):
    owners: list[NamedOwner] | None = None


def _check(content: Ownership, path: str) -> None:
    for place, owner in enumerate(content.owners or ()):
        check_name(owner.name + (owner.type or ""), "an owner", f"{path}.owners[{place}]")


FACET = TypedFacet(
    key="ownership",
    doc="The owners of a dataset or a job.",
    specs=(
        Spec("OwnershipDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),
        Spec("OwnershipJobFacet", "1-0-1", (FacetSubject.JOB,)),
    ),
    essential=False,
    model=Ownership,
    check=_check,
    feeds=("owners", "dataset_ownerships", "job_ownerships"),
    type=DatasetFacetType.DATASET,
)
