"""dataset_schema_alerts_open: the alerts that somebody has to look at."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_schema_alerts_open",
    doc="The alerts of schema changes that are neither resolved nor acknowledged since they were raised.",
    readers="`lineage status`, `lineage doctor` and whoever looks after datasets",
    reads=("dataset_schema_alerts", "datasets"),
    open_to_operators=True,
)
