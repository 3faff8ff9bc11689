"""The derivation of sql/derive/run_facets.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation

DERIVATION = Derivation(
    name="run_facets",
    doc="Facets of runs. One that is kept once a run is that of the first event that has it.",
    again="An earlier event has the facet.",
    reads=(
        "staging.run_facets",
        "new_events",
    ),
    writes=("run_facets",),
    before=("derive/unreferenced",),
)
