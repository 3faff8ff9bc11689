"""The law of moved pairs: a store that kept pairs of columns one by one, whichever of its lists have moved when, has
the tables of a store that never did, and its readers see no difference at any moment."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from hypothesis import given

from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.laws.test_order_free import feed, in_event_order
from tests.laws.test_retention import prepare
from tests.support.event_sets import Arrival, arrivals
from tests.support.examples import drawn, numbers
from tests.support.named_contents import astray
from tests.support.retention_histories import HOUR, RetentionHistory, history
from tests.support.schemas_of_before import kept_with_their_keys, keys_moved
from tests.support.single_pairs import LINEAGE, PAIRS, all_moved, kept_singly, moving, some_moved
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

EXAMPLES = 12
CONCURRENT = 2

WAITING = "SELECT DISTINCT pairs_uuid FROM column_pairs_to_move"
MOVED = "SELECT pairs_uuid FROM column_lineage_lists"


def feed_between_moves(store: Store, arrival: Arrival, met: Counter[str]) -> dict[str, list[str]]:
    """Before each slice all pairs are as an earlier release has kept them, but for some lists that have moved."""
    empty(store)
    for number, events in enumerate(arrival.slices):
        waited = set(rows(store, WAITING))
        assert take_in(store, events).quarantined == 0
        met["lists that a merge moves"] += len(waited & set(rows(store, MOVED)))
        met["lists that go before they have moved"] += len(waited - set(rows(store, MOVED)) - set(rows(store, WAITING)))
        assert astray(store) == []
        seen = [rows(store, query) for query in (LINEAGE, PAIRS)]
        kept_singly(store)
        assert [rows(store, query) for query in (LINEAGE, PAIRS)] == seen
        some_moved(store, number)
        assert [rows(store, query) for query in (LINEAGE, PAIRS)] == seen
        met["schemas of an earlier release"] += kept_with_their_keys(store)
        assert astray(store) == []
        met["stores of which a part has moved"] += bool(rows(store, WAITING) and rows(store, MOVED))
    keys_moved(store)
    return all_moved(store)


FLOORS = {
    "schemas of an earlier release": 10,
    "lists that a merge moves": 5,
    "lists that go before they have moved": 1,
    "stores of which a part has moved": 5,
}
"""How often all examples together must have met what."""


def test_tables_and_readers_do_not_depend_on_what_has_moved(database: Store) -> None:
    met = Counter[str]()

    @drawn(EXAMPLES)
    @given(arrival=arrivals())
    def law(arrival: Arrival) -> None:
        wanted = feed(database, in_event_order(arrival.events))
        assert differences(feed_between_moves(database, arrival, met), wanted) == {}

    law()
    assert {situation: met[situation] for situation, floor in FLOORS.items() if met[situation] < floor} == {}


NEVER = {
    "list of pairs that is missing",
    "list of other pairs than those of its id",
    "list of pairs that is kept twice",
    "pair that is not shown, or shown twice",
}
"""What no reader may meet, at whatever moment. A list that holds nowhere waits for the next retention."""


@contextmanager
def readers(store: Store) -> Iterator[list[list[tuple[str, object]]]]:
    """Looks for that again and again until the block ends; what it found, each time."""
    found: list[list[tuple[str, object]]] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            found.append([one for one in astray(store) if one[0] in NEVER])

    with ThreadPoolExecutor(1) as threads:
        reading = threads.submit(read)
        try:
            yield found
        finally:
            over.set()
            reading.result()


def beside_a_move(store: Store, random: Random, met: Counter[str], act: Callable[[], object]) -> None:
    """Does it while the long migration moves all lists, and others read."""
    kept_singly(store)
    ((waiting,),) = rows(store, "SELECT count(DISTINCT pairs_uuid) FROM column_pairs_to_move")
    with readers(store) as found, moving(store, after=random.random() / 2) as lists:
        act()
    assert rows(store, WAITING) == []
    assert [one for one in found if one] == []
    met["readings"] += len(found)
    met["lists that the migration moves"] += lists()
    met["lists that others are faster with"] += waiting - lists()


FLOORS_BESIDE = {
    "readings": 20,
    "lists that the migration moves": 20,
    "lists that others are faster with": 2,
}
"""How often all examples together must have met what."""


def test_merges_retention_and_readers_go_on_beside_the_migration(database: Store) -> None:
    met = Counter[str]()
    for number in numbers(CONCURRENT):
        _hold_beside(database, number, met)
    assert {situation: met[situation] for situation, floor in FLOORS_BESIDE.items() if met[situation] < floor} == {}


def _hold_beside(store: Store, number: int, met: Counter[str]) -> None:
    """Fails if the example of that number leaves other tables beside the migration than without it."""
    random = Random(number)
    example = _with_many_lists(history(random), random)
    left = []
    for is_beside in (False, True):
        prepare(store, example)
        for act in _acts(store, example):
            if is_beside:
                beside_a_move(store, random, met, act)
            else:
                act()
        purge(store, example)  # a list that has moved between the plan and its application has stayed
        assert astray(store) == []
        left.append(contents(store))
    without, beside = left
    assert differences(beside, without) == {}, number


def _with_many_lists(example: RetentionHistory, random: Random) -> RetentionHistory:
    """Each of some tables is written now and then, of other columns of one table each time."""
    columns = [(name, "INT") for name in "abcdef"]
    reports = []
    for number in range(24):
        chosen = random.sample("abcdef", random.randint(1, 3))
        made_of = {
            name: {"inputFields": [{"namespace": "shop", "name": "wide", "field": random.choice("abcdef")}]}
            for name in chosen
        }
        reports.append(
            run_event(
                "COMPLETE",
                run_id=f"0190a0a0-2222-7000-8000-{number:012}",
                time=TIME + number * HOUR,
                job=named_job("report"),
                inputs=[dataset("wide", namespace="shop", fields=columns)],
                outputs=[
                    dataset(
                        f"report {number % 4}",
                        namespace="shop",
                        fields=columns,
                        facets={"columnLineage": facet(fields=made_of)},
                    )
                ],
            )
        )
        if random.random() < 0.5:  # it states others once more, so that a list of before goes
            reports.append(reports[-1] | {"eventTime": (TIME + number * HOUR + HOUR / 2).isoformat()})
            reports[-1]["outputs"] = [random.choice(reports)["outputs"][0] | {"name": f"report {number % 4}"}]
    random.shuffle(reports)
    return replace(example, events=(*example.events, *reports))


def _acts(store: Store, example: RetentionHistory) -> Iterator[Callable[[], object]]:
    """What is on time in three slices, retention, what is late, and retention again."""
    for place in range(3):
        yield partial(take_in, store, example.events[place::3])
    yield partial(purge, store, example)
    yield partial(take_in, store, example.late)
    yield partial(purge, store, example)


def purge(store: Store, example: RetentionHistory) -> None:
    retention.apply(store, retention.plan(store, example.as_of))
