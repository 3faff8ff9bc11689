"""dataset_facet_contents: which contents the facets of datasets have, a row a mention."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_facet_contents",
    doc="Which contents the facets of datasets have, a row a mention.",
    readers="the view `dataset_facets` and the reading of facets",
    reads=("dataset_mentions", "facet_sets"),
)
