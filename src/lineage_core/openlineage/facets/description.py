"""A dataset's description in the form that Marquez reads besides `documentation`."""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet

FACET = Facet(
    key="description",
    doc="A description of a dataset, perhaps a plain text; Marquez knows it, the specification does not.",
    type=DatasetFacetType.DATASET,
)
