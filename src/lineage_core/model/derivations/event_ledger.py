"""The derivation of sql/derive/event_ledger.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable, identities

DERIVATION = Derivation(
    name="event_ledger",
    doc=(
        "The new events, each with the job version that it makes, by the datasets that the run had named by that "
        "moment."
    ),
    again=("A mention of the run arrives, however late; a version that it named is another, or has another name."),
    reads=(
        "dataset_mentions",
        "dataset_versions",
        identities("job_versions"),
        "jobs",
        "moved_reads",
        "new_events",
        "renamed_versions",
        "slice_mentions",
    ),
    makes=(
        TemporaryTable(
            "late_names",
            "The places where what a run, or a job event, has named is not what it was.",
        ),
        TemporaryTable(
            "touched_moments",
            "The moments of new events, and those of earlier slices at a late name or behind it.",
        ),
        TemporaryTable(
            "moment_datasets",
            "The datasets that the run of each moment had named by then, or that its job event names.",
        ),
        TemporaryTable(
            "moments",
            "The moments, each with the version that it makes now, and the one that it made before.",
        ),
    ),
    writes=("event_ledger",),
)
