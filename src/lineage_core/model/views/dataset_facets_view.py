"""dataset_facets_view: the facets of datasets, under the name by which Marquez reads them."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_facets_view",
    doc="The facets of datasets, under the name by which Marquez reads them.",
    readers="Marquez' server",
    reads=("dataset_facets",),
)
