"""dataset_facet_contents: the facets of datasets with their contents, a row a mention."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_facet_contents",
    doc="The facets of datasets with their contents, a row a mention.",
    readers="the view `dataset_facets` and the reading of facets",
    reads=("dataset_mentions", "facet_sets", "facets"),
)
