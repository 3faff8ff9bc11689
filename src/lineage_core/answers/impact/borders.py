"""Where the impact of a change leaves a store: what it reaches, and jobs of other stores of the list read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lineage_core.answers.graph.borders import beyond
from lineage_core.answers.graph.walking import Direction
from lineage_core.answers.impact.model import Impact, ImpactVerdict
from lineage_core.postgres.store import Store


def impact_over_borders(store: Store, found: Impact, others: Sequence[str] | None) -> Impact:
    """The answer of a store, and which of its datasets other stores have readers of. others: their names; None where
    there is one store.

    It is complete only if there are none, and each store could be asked. What is safe leads nowhere.
    """
    if others is None:
        return found
    reached = {one.dataset_uuid for one in found.consumers if one.dataset_uuid and one.verdict != ImpactVerdict.SAFE}
    known = beyond(store, reached | {one.dataset_uuid for one in found.datasets}, others, (Direction.DOWN,))
    return replace(
        found,
        complete=found.complete and known.ends_here,
        elsewhere=known.going_on,
        unasked_stores=known.unasked_stores,
    )
