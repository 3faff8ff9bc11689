"""dataset_version_facets: the facets of each dataset version: the last of each name."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_version_facets",
    doc="The facets of each dataset version: the last of each name.",
    readers="who asks for facets by SQL",
    reads=("dataset_facets",),
)
