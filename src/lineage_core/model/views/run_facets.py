"""run_facets: the facets of runs, a row an event."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="run_facets",
    doc="The facets of runs, a row an event.",
    readers="seeds 001 and 003",
    reads=("run_facet_contents",),
)
