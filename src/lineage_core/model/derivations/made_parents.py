"""The derivation of sql/derive/made_parents.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="made_parents",
    doc="Jobs and runs that do not report, by what their children say of them, and whose child each job is.",
    again="An event names a parent, or a parent reports for the first time or as another job.",
    reads=(
        "jobs_tag_mapping",
        "parent_mentions",
        "run_args",
        "settled_parents",
    ),
    makes=(
        TemporaryTable(
            "made_jobs",
            "The first and the last event that says something of a made job; both null if none does any more.",
        ),
        TemporaryTable("made_runs", "Runs of which something is said, or no more."),
        TemporaryTable(
            "said_of_runs",
            "The first and the last of the events that say the same kind of thing of a run.",
        ),
    ),
    writes=(
        "jobs",
        "run_states",
        "runs",
    ),
    removes=(
        "jobs",
        "run_states",
        "runs",
    ),
    before=(
        # A made job that people have tagged stays; no tag of a facet is on one.
        "derive/job_tags",
    ),
)
