"""Law 1 where somebody else writes, too: his rows change no row of ours but its ids, whenever he writes them."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given

from lineage_core.postgres.store import Store
from tests.support.event_sets import Arrival, arrivals
from tests.support.examples import drawn
from tests.support.named_contents import astray
from tests.support.rows_of_others import OthersRows
from tests.support.stores import empty, take_in

pytestmark = pytest.mark.postgres

EXAMPLES = 5


def feed(store: Store, arrival: Arrival, others: OthersRows | None = None, before: int = 0) -> None:
    """With the rows of another `before` the slice of that number."""
    empty(store)
    for number, events in enumerate(arrival.slices):
        if others and number == before:
            with store.connect() as connection:
                others.insert_all(connection)
        assert take_in(store, events).quarantined == 0


@pytest.mark.slow
def test_rows_of_others_change_nothing_but_ids(database: Store) -> None:
    numbers = count()

    @drawn(EXAMPLES)
    @given(arrival=arrivals())
    def law(arrival: Arrival) -> None:
        feed(database, arrival)
        others = OthersRows(database)
        feed(database, arrival, others, next(numbers) % len(arrival.slices))
        assert astray(database) == []
        assert others.differences(database) == {}

    law()
