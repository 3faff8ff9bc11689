"""Law 1: the tables are a function of the set of events, whatever the order, the slices and the repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import cycle

import pytest
from hypothesis import given

from lineage_core.long_migrations.declared.schema_versions import MIGRATION
from lineage_core.long_migrations.store import end, records
from lineage_core.postgres.store import Store
from tests.support.event_sets import Arrival, Document, arrivals
from tests.support.examples import drawn
from tests.support.mutants import EXAMPLES_MET
from tests.support.named_contents import astray
from tests.support.situations import FLOORS, situations
from tests.support.stores import contents, differences, empty, take_in
from tests.support.verdicts_anew import misjudged

pytestmark = [pytest.mark.postgres, pytest.mark.other_server]

EXAMPLES = 60
NUMBER = 52
"""Of 74 draws the one that meets each situation but those of paths most often, by its floor.

It meets all of them at least twice as often as that."""


def feed(store: Store, arrival: Arrival) -> dict[str, list[str]]:
    """The second time each event is a slice of its own, which is staged while the one before it is merged.

    No event may be refused: what Postgres refuses goes to quarantine, and would leave the tables as they should be.
    """
    empty(store)
    _take_in(store, arrival)
    assert astray(store) == []
    assert misjudged(store) == []
    return contents(store)


def feed_beside_a_migration(store: Store, arrival: Arrival) -> dict[str, list[str]]:
    """While a long migration has its index set aside, merges leave some work to its end."""
    empty(store)
    with store.connect() as connection:
        connection.execute("DROP INDEX IF EXISTS dataset_versions_schema_version_index")
    _take_in(store, arrival)
    records.plan(store, MIGRATION.name)
    end.cancel(store, MIGRATION.name)
    return contents(store)


def _take_in(store: Store, arrival: Arrival) -> None:
    for number, events in enumerate(arrival.slices):
        outcome = take_in(store, events, tasks=1 + number % 2, slice_bytes=1 if number == 1 else 1 << 26)
        assert outcome.quarantined == 0


UNLIKE_BYTES = timedelta(seconds=10_100)
"""Later by that, orders of events differ in the hexadecimal digits `aa` for the first minutes, then in `ab` to `ad`.
Danish sorts the first ones behind."""


def where_texts_sort_otherwise(arrival: Arrival) -> Arrival:
    """The same events at times whose texts tell Danish from bytes."""

    def later(event: Document) -> Document:
        time = datetime.fromisoformat(event["eventTime"]) + UNLIKE_BYTES
        return event | {"eventTime": time.isoformat()}

    slices = tuple(tuple(later(event) for event in events) for events in arrival.slices)
    return Arrival(tuple(later(event) for event in arrival.events), slices)


def in_event_order(events: tuple[Document, ...]) -> Arrival:
    return Arrival(events, (tuple(sorted(events, key=lambda event: event["eventTime"])),))


@pytest.fixture
def met() -> Iterator[Counter[str]]:
    """Counts the situations over all examples of a test, and holds them to their floors at its end."""
    counted: Counter[str] = Counter()
    yield counted
    missed = {situation: counted[situation] for situation, floor in FLOORS.items() if counted[situation] < floor}
    assert not missed, f"too few examples of {missed}"


def test_the_tables_are_a_function_of_the_set_of_events(
    database: Store, localized_databases: dict[str, Store], met: Counter[str]
) -> None:
    hold(database, EXAMPLES, met, beside=tuple(localized_databases.values()))


@pytest.mark.long
@pytest.mark.old_mapping
def test_they_are_also_where_a_migration_has_its_index_set_aside(database: Store, met: Counter[str]) -> None:
    hold(database, EXAMPLES, met, feed_beside_a_migration)


def hold(
    database: Store,
    examples: int,
    met: Counter[str],
    fed: Callable[[Store, Arrival], dict[str, list[str]]] = feed,
    first: int = 1,
    beside: Sequence[Store] = (),
) -> None:
    """Fails with the first example, from the one numbered `first` on, in which arrival and event order give different
    tables. `met` counts the examples, too, under EXAMPLES_MET. They go to the database and those `beside` it in turn.
    """
    turns = cycle((database, *beside))

    @drawn(examples, NUMBER)
    @given(arrival=arrivals())
    def law(arrival: Arrival) -> None:
        met[EXAMPLES_MET] += 1
        if met[EXAMPLES_MET] < first:
            return
        met.update(situations(arrival))
        store = next(turns)
        chosen = arrival if store == database else where_texts_sort_otherwise(arrival)
        assert differences(fed(store, chosen), feed(store, in_event_order(chosen.events))) == {}

    law()
