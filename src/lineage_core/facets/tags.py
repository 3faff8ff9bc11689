"""Tags of a dataset, its columns, a job or a run."""

from __future__ import annotations

import msgspec

from lineage_core.facets import Owner, Spec, TypedFacet


class Tag(msgspec.Struct, frozen=True):
    """`field` names the column that it is of; without one it is of the dataset or the job itself."""

    key: str
    value: str | None = None
    field: str | None = None


class Tags(msgspec.Struct, frozen=True):
    tags: list[Tag] | None = None


FACET = TypedFacet(
    key="tags",
    doc="Keys and values that label a dataset, its columns, a job or a run. Those of a run are stored only.",
    specs=(
        Spec("TagsDatasetFacet", "1-0-0", (Owner.DATASET,)),
        Spec("TagsJobFacet", "1-0-0", (Owner.JOB,)),
        Spec("TagsRunFacet", "1-0-0", (Owner.RUN,)),
    ),
    model=Tags,
    feeds=("tags", "datasets_tag_mapping", "dataset_fields_tag_mapping", "jobs_tag_mapping"),
)
