"""Other names of a dataset."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet


class Identifier(msgspec.Struct, frozen=True):
    namespace: str
    name: str
    type: str | None = None


class Symlinks(msgspec.Struct, frozen=True):
    identifiers: list[Identifier] | None = None


FACET = TypedFacet(
    key="symlinks",
    doc="Other names under which a dataset is known.",
    specs=(Spec("SymlinksDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    essential=True,
    model=Symlinks,
    feeds=("dataset_names", "dataset_symlinks"),
)
