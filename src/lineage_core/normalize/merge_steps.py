"""The statements that take a staged slice into the tables, in their order, by their names."""

from __future__ import annotations

from collections.abc import Collection

from lineage_core.declare.tables import all_tables
from lineage_core.model.derivations import all_derivations
from lineage_core.model.merge_order import is_left_out, merge_order

_ORDER = merge_order(all_tables(), all_derivations())
"""Sorted when this is imported, so that no run begins with declarations that contradict each other."""


def merge_steps(replaced: Collection[str] = ()) -> tuple[str, ...]:
    """The steps of a merge, without those that would only change tables which are `replaced` by views."""
    return tuple(step.path for step in _ORDER if not is_left_out(step, replaced))
