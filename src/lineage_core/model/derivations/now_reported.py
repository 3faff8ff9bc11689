"""The derivation of sql/derive/now_reported.sql."""

from __future__ import annotations

from lineage_core.model.derivation import Derivation, TemporaryTable

DERIVATION = Derivation(
    name="now_reported",
    doc=(
        "What was known of the slice's runs from their children only is taken from them: nothing of it could "
        "outlast their own words."
    ),
    again="A run reports itself for the first time.",
    reads=("staging.runs",),
    makes=(TemporaryTable("runs_before", "The slice's runs that are known already, and whose job they were."),),
    writes=("runs",),
    before=(
        # The runs as they were before the slice.
        "merge/runs",
    ),
)
