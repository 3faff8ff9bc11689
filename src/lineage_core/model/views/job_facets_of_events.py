"""job_facets_of_events: the facets that events give to jobs, with their contents."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="job_facets_of_events",
    doc="The facets that events give to jobs, with their contents, a row an event.",
    readers="the view `job_facets_view`",
    reads=("event_ledger", "facet_sets", "facets"),
)
