"""Other names of a dataset."""

from __future__ import annotations

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.name_limits import check_names


class Identifier(msgspec.Struct, frozen=True):
    namespace: str
    name: str
    type: str | None = None


class Symlinks(msgspec.Struct, frozen=True):
    identifiers: list[Identifier] | None = None


LONGEST_SYMLINK_TYPE = 64
"""Characters, as `dataset_symlinks.type` has it."""


def _check(content: Symlinks, path: str) -> None:
    for place, identifier in enumerate(content.identifiers or ()):
        _check_identifier(identifier, f"{path}.identifiers[{place}]")


def _check_identifier(identifier: Identifier, path: str) -> None:
    check_names(path, identifier.namespace, identifier.name)
    if identifier.type is not None and len(identifier.type) > LONGEST_SYMLINK_TYPE:
        raise RejectedEvent(f"the type of a name has more than {LONGEST_SYMLINK_TYPE} characters", f"{path}.type")


FACET = TypedFacet(
    key="symlinks",
    doc="Other names under which a dataset is known.",
    specs=(Spec("SymlinksDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    essential=True,
    model=Symlinks,
    check=_check,
    feeds=("dataset_names", "dataset_symlinks"),
)
