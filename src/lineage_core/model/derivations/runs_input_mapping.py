"""The derivation of sql/derive/runs_input_mapping.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation

DERIVATION = Derivation(
    name="runs_input_mapping",
    doc="Which versions each run has read.",
    again="An input reads another version.",
    reads=(
        "dataset_mentions",
        "moved_reads",
        "slice_mentions",
    ),
    writes=("runs_input_mapping",),
    removes=("runs_input_mapping",),
    before=("derive/unreferenced",),
)
