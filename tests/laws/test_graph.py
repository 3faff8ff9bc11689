"""Law 9: the graph of any moment is a function of the set of events, and what a plain reading of them says."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given

from lineage_core.normalize.operation import EDGES
from lineage_core.postgres.store import Store
from tests.support.event_sets import Arrival, Document, arrivals
from tests.support.examples import drawn
from tests.support.graphs_by_hand import history, misdrawn
from tests.support.mutants import EXAMPLES_MET, Mutant, assert_law_fails
from tests.support.stores import contents, empty, take_in

pytestmark = pytest.mark.postgres

EXAMPLES = 12
FLOORS = {"reads": 20, "writes": 20, "derives": 20, "ended": 20, "again": 10, "renames": 2}
TABLES = ("job_version_timeline", "job_edges", "column_lineage_inputs")

MUTANTS = (
    Mutant(
        "a moment that comes late ends nothing behind it",
        "model/derive/job_edges",
        "is_touched OR coalesce(lag(is_touched) OVER in_order, false) AS is_compared",
        "is_touched AS is_compared",
        example=2,
    ),
    Mutant(
        "what the moment before has is forgotten",
        "model/derive/job_edges",
        "WHERE NOT place.is_touched;",
        "WHERE false;",
        example=2,
    ),
    Mutant("a FAIL puts a version in force", "model/derive/job_version_timeline", "puts_in_force(", "true OR ("),
    Mutant(
        "a run without datasets ends all edges",
        "model/derive/job_version_timeline",
        "AND EXISTS (SELECT FROM moment_datasets AS named WHERE named.event_order = moment.event_order)",
        "",
    ),
    Mutant(
        "an edge that ended begins where it first began",
        "model/derive/job_edges",
        "WHERE is_begin;",
        "WHERE is_begin AND until_event = '\\xff';",
    ),
)


def renaming(event: Document, number: int) -> Document:
    """Every other event renames what it would drop: the generator of events knows no renames."""
    drop, rename = (
        '"lifecycleStateChange": "DROP"',
        ('"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "shop", "name": "orders"}'),
    )
    written = json.dumps(event)
    return event if number % 2 else json.loads(written.replace(drop, rename))


def hold(store: Store, examples: int, met: Counter[str], first: int = 1) -> None:
    """Fails with the first example, from the one numbered `first` on, whose graphs are not what its events say."""

    @drawn(examples)
    @given(arrival=arrivals())
    def law(arrival: Arrival) -> None:
        met[EXAMPLES_MET] += 1
        if met[EXAMPLES_MET] < first:
            return
        empty(store)
        for events in arrival.slices:
            take_in(store, [renaming(event, number) for number, event in enumerate(events)])
        assert misdrawn(store) == []
        kept = contents(store, set(TABLES))
        remake(store)
        assert contents(store, set(TABLES)) == kept
        count(store, met)

    law()


def remake(store: Store) -> None:
    """As an upgrade does in a store that had no edges."""
    with store.connect() as connection:
        connection.execute(f"TRUNCATE {', '.join(TABLES)}")
        EDGES.bring_up_to_date(connection)


def count(store: Store, met: Counter[str]) -> None:
    with store.connect() as connection:
        renames = connection.execute("SELECT count(*) FROM dataset_endings WHERE renamed_to IS NOT NULL").fetchone()
    met["renames"] += renames[0] if renames else 0
    for (kind, *_), spans in history(store).spans.items():
        met.update([kind, *("ended" for span in spans if span.until), *("again" for _ in spans[1:])])


def test_the_graph_of_each_moment_is_what_the_events_say(database: Store) -> None:
    met: Counter[str] = Counter()
    hold(database, EXAMPLES, met)
    assert {kind: met[kind] for kind, floor in FLOORS.items() if met[kind] < floor} == {}


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_law_9_fails(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_law_fails(mutant, lambda met, first: hold(database, EXAMPLES, met, first=first), monkeypatch)
