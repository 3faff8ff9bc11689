"""column_lineage: which column an output column was made from, a row for each pair of dataset versions."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="column_lineage",
    doc="Which input column an output column was made from, a row for each pair of dataset versions.",
    readers="Marquez' server",
    reads=("column_lineage_pairs", "column_lineage_versions"),
)
