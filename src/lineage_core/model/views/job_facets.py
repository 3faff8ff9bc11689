"""job_facets: the facets of jobs, a row an event."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="job_facets",
    doc="The facets of jobs, a row an event.",
    readers="seeds 001 and 003",
    reads=("job_facet_contents",),
)
