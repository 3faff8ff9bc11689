"""lineage_events_by_type_hourly_view: how many events of each type happened in each hour."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="lineage_events_by_type_hourly_view",
    doc="How many events of each type happened in each hour. Normalization refreshes it hourly.",
    readers="Marquez' server",
    reads=("lineage_events",),
    is_materialized=True,
)
