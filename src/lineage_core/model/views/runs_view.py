"""runs_view: runs under the name that their job has now."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="runs_view",
    doc="Runs under the name that their job has now.",
    readers="Marquez' server",
    reads=("jobs", "jobs_view", "runs"),
)
