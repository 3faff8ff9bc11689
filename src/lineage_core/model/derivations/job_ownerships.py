"""The derivation of sql/derive/job_ownerships.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="job_ownerships",
    doc="The owners of jobs, by the last facet that says them.",
    again="A facet says some.",
    reads=(
        "job_labels",
        "owners",
        "labelled_jobs",
    ),
    makes=(TemporaryTable("reported_job_owners", "The owners that each job that the slice labels should have."),),
    writes=("job_ownerships",),
    removes=("job_ownerships",),
)
