"""job_facet_contents: the facets of jobs with their contents, a row an event."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="job_facet_contents",
    doc="The facets of jobs with their contents, a row an event.",
    readers="the view `job_facets` and the reading of facets",
    reads=("event_ledger", "facet_sets", "facets", "runs"),
)
