"""retention_holds_in_force: the legal holds that count now."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="retention_holds_in_force",
    doc="The legal holds that nobody has released and that have not ended by themselves.",
    readers="whoever plans retention, and normalization behind a horizon",
    reads=("retention_hold_releases", "retention_holds"),
    open_to_operators=True,
)
