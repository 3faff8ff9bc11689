"""Tags of a dataset, its columns, a job or a run."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.name_limits import check_name


class TagEntry(msgspec.Struct, frozen=True):
    """`field` names the column that it is of; without one it is of the dataset or the job itself."""

    key: str
    value: str | None = None
    field: str | None = None

    @property
    def name(self) -> str:
        """`key:value`, or the key alone where the value says no more than that the tag is there."""
        return self.key if self.value in (None, "", "true") else f"{self.key}:{self.value}"


class Tags(msgspec.Struct, frozen=True):
    tags: list[TagEntry] | None = None


def _check(content: Tags, path: str) -> None:
    for place, tag in enumerate(content.tags or ()):
        check_name(tag.name, "a tag", f"{path}.tags[{place}]")


FACET = TypedFacet(
    key="tags",
    doc="Keys and values that label a dataset, its columns, a job or a run. Those of a run are stored only.",
    specs=(
        Spec("TagsDatasetFacet", "1-0-0", (FacetSubject.DATASET,)),
        Spec("TagsJobFacet", "1-0-0", (FacetSubject.JOB,)),
        Spec("TagsRunFacet", "1-0-0", (FacetSubject.RUN,)),
    ),
    essential=False,
    model=Tags,
    check=_check,
    feeds=("tags", "datasets_tag_mapping", "dataset_fields_tag_mapping", "jobs_tag_mapping"),
)
