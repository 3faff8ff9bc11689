"""retention_policies_in_force: the policies of retention that count now."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="retention_policies_in_force",
    doc="The policies of retention in the order in which they are asked: the first that fits counts.",
    readers="`lineage retention policy list`, and whoever plans retention",
    reads=("retention_policies",),
    open_to_operators=True,
)
