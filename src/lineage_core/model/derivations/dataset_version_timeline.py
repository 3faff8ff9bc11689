"""The derivation of sql/derive/dataset_version_timeline.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="dataset_version_timeline",
    doc=(
        "Which version of a dataset is current from when, by the written versions and the COMPLETE events of their"
        " runs."
    ),
    again="A mention of the dataset, or an ending of a run that wrote it, arrives.",
    reads=(
        "dataset_mentions",
        "event_ledger",
        "new_events",
        "slice_mentions",
    ),
    makes=(
        TemporaryTable(
            "written_pointers",
            "The places of the timeline that the new events make, or may change.",
        ),
        TemporaryTable("changed_timelines", "The datasets whose timeline changes, and from when on."),
        TemporaryTable(
            "first_reads",
            "The first time that any run read a dataset, if nobody had written it before, of each dataset that "
            "the slice reads or whose timeline changes.",
        ),
        TemporaryTable(
            "dropped_first_reads",
            "Versions that a reader made, and would not have made had the late events come in time.",
        ),
    ),
    writes=("dataset_version_timeline",),
    removes=("dataset_version_timeline",),
)
