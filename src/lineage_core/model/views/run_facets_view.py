"""run_facets_view: the facets of runs, under the name by which Marquez reads them."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="run_facets_view",
    doc="The facets of runs, under the name by which Marquez reads them.",
    readers="Marquez' server",
    reads=("run_facets",),
)
