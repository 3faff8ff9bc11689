"""run_facet_contents: the facets of runs with their contents, a row an event."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="run_facet_contents",
    doc="The facets of runs with their contents, a row an event.",
    readers="the view `run_facets` and the reading of facets",
    reads=("event_ledger", "facet_sets", "facets", "run_facets_kept_once"),
)
