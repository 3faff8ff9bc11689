"""Lineage that is stated instead of derived."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.facets.column_lineage import Transformation


class Origin(msgspec.Struct, frozen=True):
    """A dataset or a job that flows into something; only a dataset with a `field` is a column."""

    type: str | None = None
    namespace: str | None = None
    name: str | None = None
    field: str | None = None
    transformations: list[Transformation] | None = None


class FieldEntry(msgspec.Struct, frozen=True):
    inputs: list[Origin] | None = None


class LineageEntry(msgspec.Struct, frozen=True):
    """What flows into one dataset or job, as a whole and into its columns."""

    type: str | None = None
    namespace: str | None = None
    name: str | None = None
    inputs: list[Origin] | None = None
    fields: dict[str, FieldEntry] | None = None


class Lineage(msgspec.Struct, frozen=True):
    """A dataset's facet has `inputs` and `fields`, a job's has `entries`."""

    inputs: list[Origin] | None = None
    fields: dict[str, FieldEntry] | None = None
    entries: list[LineageEntry] | None = None


FACET = TypedFacet(
    key="lineage",
    doc="The datasets and jobs that flow into a dataset or a job, as its producer states them.",
    specs=(Spec("LineageFacet", "1-0-0", (FacetSubject.DATASET, FacetSubject.JOB)),),
    essential=False,
    model=Lineage,
    feeds=("column_lineage",),
)
