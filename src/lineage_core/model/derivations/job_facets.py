"""The derivation of sql/derive/job_facets.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation

DERIVATION = Derivation(
    name="job_facets",
    doc="Facets of jobs, each with the job version of its run or job event.",
    again="A moment makes another version.",
    reads=(
        "staging.job_facets",
        "runs",
        "runs.job_version_uuid",
        "moments",
        "moved_runs",
        "new_events",
    ),
    writes=("job_facets",),
    before=("derive/unreferenced",),
)
