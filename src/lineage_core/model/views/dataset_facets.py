"""dataset_facets: the facets of datasets, a row an event and mention."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_facets",
    doc="The facets of datasets, a row an event and mention.",
    readers="seeds 001 and 003",
    reads=("dataset_facet_contents",),
)
