"""Which columns a dataset's columns come from."""

from __future__ import annotations

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet


class Transformation(msgspec.Struct, frozen=True):
    """One step on the way from an input column: `type` DIRECT or INDIRECT, `subtype` as IDENTITY, FILTER or JOIN."""

    type: str | None = None
    subtype: str | None = None
    description: str | None = None
    masking: bool | None = None


class InputField(msgspec.Struct, frozen=True):
    namespace: str
    name: str
    field: str
    transformations: list[Transformation] | None = None


class OutputField(msgspec.Struct, frozen=True, rename="camel"):
    """What one column was made from. The two `transformation…` members are older, and speak of all its inputs."""

    input_fields: list[InputField] | None = None
    transformation_description: str | None = None
    transformation_type: str | None = None


class ColumnLineage(msgspec.Struct, frozen=True):
    """`dataset` are columns that have a part in every column of the output, as those of a filter or a join."""

    fields: dict[str, OutputField] | None = None
    dataset: list[InputField] | None = None


LONGEST_TYPE = 255
"""Characters, as `column_lineage.transformation_type` has it."""


def _check(content: ColumnLineage, path: str) -> None:
    for column, made in (content.fields or {}).items():
        if made.transformation_type is not None and len(made.transformation_type) > LONGEST_TYPE:
            place = f"{path}.fields.{column}.transformationType"
            raise RejectedEvent(f"a transformation's type has more than {LONGEST_TYPE} characters", place)


FACET = TypedFacet(
    key="columnLineage",
    doc="The columns that each column of a dataset was made of.",
    specs=(Spec("ColumnLineageDatasetFacet", "1-2-0", (FacetSubject.DATASET,)),),
    essential=False,
    model=ColumnLineage,
    check=_check,
    feeds=("column_lineage",),
    type=DatasetFacetType.DATASET,
)
