"""dataset_version_facets: the facets of each dataset version, as proposal 2078 lists them: the last of each name."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_version_facets",
    doc="The facets of each dataset version, as proposal 2078 lists them: the last of each name.",
    readers="proposal 2078",
    reads=("dataset_facets",),
)
