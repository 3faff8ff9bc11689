"""The columns of a dataset."""

from __future__ import annotations

import msgspec

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet


class SchemaField(msgspec.Struct, frozen=True):
    """`fields` are the columns within a column of a composite type, as they came."""

    name: str
    type: str | None = None
    description: str | None = None
    fields: msgspec.Raw = msgspec.Raw(b"null")


class DatasetSchema(msgspec.Struct, frozen=True):
    """`fields` is None where the facet has none, which is not the same as an empty list."""

    fields: list[SchemaField] | None = None


LONGEST_FIELD_NAME = 255
"""Characters, as `dataset_fields.name` has it."""


def _check(content: DatasetSchema, path: str) -> None:
    for place, field in enumerate(content.fields or ()):
        if len(field.name) > LONGEST_FIELD_NAME:
            raise RejectedEvent(
                f"a column's name has more than {LONGEST_FIELD_NAME} characters", f"{path}.fields[{place}].name"
            )


FACET = TypedFacet(
    key="schema",
    doc="The columns of a dataset, with their types and descriptions.",
    specs=(Spec("SchemaDatasetFacet", "1-2-0", (FacetSubject.DATASET,)),),
    essential=True,
    model=DatasetSchema,
    check=_check,
    feeds=("dataset_fields", "dataset_schema_versions", "dataset_versions.fields"),
    type=DatasetFacetType.DATASET,
)
