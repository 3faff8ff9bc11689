"""The derivation of sql/derive/job_versions.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="job_versions",
    doc="Job versions and their datasets, by their moments, and which version a job and a run now are.",
    again="A moment makes another version.",
    reads=(
        "dataset_mentions",
        "event_ledger",
        "jobs",
        "runs",
        "moments",
    ),
    makes=(
        TemporaryTable("touched_job_versions", "The job versions that moments make now, or made before."),
        TemporaryTable(
            "touched_pairs",
            "The job versions of these moments, with each job that makes them now, or made them before, and the first "
            "moment of each pair.",
        ),
        TemporaryTable(
            "version_datasets",
            "The datasets that the run, or the job event, of the first moment of each pair had named by then.",
        ),
        TemporaryTable("last_moments", "The last moment of each version of the touched jobs."),
        TemporaryTable(
            "touched_jobs",
            "The current version of each job, and since when: its first moment behind the last one of any other "
            "version.",
        ),
        TemporaryTable("moved_runs", "Runs whose last moment now makes another version."),
    ),
    writes=(
        "job_versions",
        "job_versions_io_mapping",
        "jobs.current_version_uuid",
        "runs.job_version_uuid",
    ),
    removes=("job_versions_io_mapping",),
)
