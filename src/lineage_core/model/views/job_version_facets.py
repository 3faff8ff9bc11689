"""job_version_facets: the facets of each job version: the last of each name."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="job_version_facets",
    doc="The facets of each job version: the last of each name.",
    readers="who asks for facets by SQL",
    reads=("job_facets",),
)
