"""Where a dataset is stored."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import DatasetFacetType, FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.name_limits import check_names


class DataSource(msgspec.Struct, frozen=True):
    name: str | None = None
    uri: str | None = None


def _check(content: DataSource, path: str) -> None:
    check_names(path, "", content.name or "")


FACET = TypedFacet(
    key="dataSource",
    doc="The source that stores a dataset: its name and address.",
    specs=(Spec("DatasourceDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    essential=True,
    model=DataSource,
    check=_check,
    feeds=("sources", "datasets.source_uuid", "datasets.source_name"),
    type=DatasetFacetType.DATASET,
)
