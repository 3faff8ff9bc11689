"""Law 9: the graph of any moment is a function of the set of events, and what a plain reading of them says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from lineage_core.postgres.store import Store
from tests.laws.test_order_free import WITHOUT_SHRINKING
from tests.support.event_sets import Arrival, arrivals
from tests.support.graphs_by_hand import history, misdrawn
from tests.support.stores import empty, take_in

pytestmark = pytest.mark.postgres

EXAMPLES = 25


@pytest.fixture
def met() -> Iterator[Counter[str]]:
    counted: Counter[str] = Counter()
    yield counted
    assert not {kind for kind in ("reads", "writes", "derives", "ended", "again") if counted[kind] < 20}, counted


def test_the_graph_of_each_moment_is_what_the_events_say(database: Store, met: Counter[str]) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        phases=WITHOUT_SHRINKING,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(arrival=arrivals())
    def law(arrival: Arrival) -> None:
        empty(database)
        for events in arrival.slices:
            take_in(database, events)
        assert misdrawn(database) == []
        for (kind, *_), spans in history(database).spans.items():
            met.update([kind, *("ended" for span in spans if span.until), *("again" for _ in spans[1:])])

    law()
