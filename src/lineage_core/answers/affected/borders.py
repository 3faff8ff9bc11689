"""Where what is affected leaves a store: datasets with affected versions that jobs of other stores of the list read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lineage_core.answers.affected.answer import AffectedAnswer
from lineage_core.answers.graph.borders import beyond
from lineage_core.answers.graph.walking import Direction
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_value, value_or_none


def affected_over_borders(store: Store, found: AffectedAnswer, others: Sequence[str] | None) -> AffectedAnswer:
    """The answer of a store, and which datasets of its versions jobs of other stores have read since the first of them
    was made. others: their names; None where there is one store.

    It is complete only if there are none, and each store could be asked. Whether a job there has read one of these
    versions is to be asked there.
    """
    if others is None:
        return found
    versions = [*found.versions, *((found.version,) if found.version else ())]
    with store.session("lineage_reader") as connection:
        datasets = every_value(connection, str, "answers/affected/datasets", {"versions": versions})
        begun = value_or_none(connection, datetime, "answers/affected/begun", {"versions": versions})
    known = beyond(store, datasets, others, (Direction.DOWN,), read_since=begun)
    return replace(
        found,
        complete=found.complete and known.ends_here,
        elsewhere=known.going_on,
        unasked_stores=known.unasked_stores,
    )
