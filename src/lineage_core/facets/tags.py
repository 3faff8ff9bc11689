"""Labels of a dataset, a job or a run."""

from __future__ import annotations

from lineage_core.facets import Facet, Owner, Spec

FACET = Facet(
    key="tags",
    doc="Keys and values that label a dataset, its columns, a job or a run.",
    specs=(
        Spec("TagsDatasetFacet", "1-0-0", (Owner.DATASET,)),
        Spec("TagsJobFacet", "1-0-0", (Owner.JOB,)),
        Spec("TagsRunFacet", "1-0-0", (Owner.RUN,)),
    ),
)
