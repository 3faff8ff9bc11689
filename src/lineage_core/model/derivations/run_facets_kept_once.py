"""The derivation of sql/derive/run_facets_kept_once.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="run_facets_kept_once",
    doc="Facets that are kept once a run: those of the first event that has them. The others' contents go.",
    again="An earlier event has the facet.",
    reads=("staging.run_facets_kept_once",),
    makes=(TemporaryTable("doubtful_facets", "The contents that runs may keep no longer."),),
    writes=("run_facets_kept_once",),
    removes=("facets",),
    before=("derive/unreferenced",),
)
