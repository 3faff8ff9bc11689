"""jobs_view: jobs that are shown: not hidden, and not replaced by another name."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="jobs_view",
    doc="Jobs that are shown: not hidden, and not replaced by another name.",
    readers="Marquez' server",
    reads=("jobs",),
)
