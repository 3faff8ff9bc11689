"""The derivation of sql/derive/job_tags.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="job_tags",
    doc="The tags of jobs, by the last facet that says them.",
    again="A facet says some.",
    reads=(
        "staging.job_labels",
        "job_labels",
        "tags",
    ),
    makes=(
        TemporaryTable("labelled_jobs", "The jobs that the slice labels."),
        TemporaryTable("reported_job_tags", "The tags that each of these jobs should bear."),
    ),
    writes=("jobs_tag_mapping",),
    removes=("jobs_tag_mapping",),
)
