"""job_version_facets: the facets of each job version, as proposal 2078 lists them: the last of each name."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="job_version_facets",
    doc="The facets of each job version, as proposal 2078 lists them: the last of each name.",
    readers="proposal 2078",
    reads=("job_facets",),
)
