"""Lineage that is stated instead of derived."""

from __future__ import annotations

from lineage_core.facets import Facet, Owner, Spec

FACET = Facet(
    key="lineage",
    doc="The datasets and jobs that flow into a dataset or a job, as its producer states them.",
    specs=(Spec("LineageFacet", "1-0-0", (Owner.DATASET, Owner.JOB)),),
)
