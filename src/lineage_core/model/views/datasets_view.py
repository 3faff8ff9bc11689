"""datasets_view: datasets that are shown, once under each of their names."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="datasets_view",
    doc="Datasets that are shown, once under each of their names.",
    readers="Marquez' server",
    reads=("dataset_symlinks", "datasets", "namespaces"),
)
