"""job_facets_view: the facets of jobs, under the name by which Marquez reads them."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="job_facets_view",
    doc="The facets of jobs, under the name by which Marquez reads them.",
    readers="Marquez' server",
    reads=("job_facets_of_events",),
)
