"""An event ahead of its receipt is neither first nor last where another says the same; what only it says stands."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.declare.tables import all_tables, table_named
from lineage_core.declare.vocabulary import BYTEA
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, Document, facet
from tests.support.event_sets import CLOCK_AHEAD, Arrival, arrivals
from tests.support.examples import drawn
from tests.support.mutants import EXAMPLES_MET, Mutant, assert_law_fails
from tests.support.stores import PLATFORM, RECEIVED_AT, RECEIVED_BEFORE, empty, put, rows

pytestmark = pytest.mark.postgres

EXAMPLES = 6

Rows = dict[str, list[dict[str, Any]]]

STORED_ONCE = {
    "facets",
    "facet_sets",
    "run_facets_kept_once",
    "column_lineage_lists",
    "column_lineage_versions",
}
VIEW_KEYS = {
    **{f"{entity}_facets": ("lineage_event_time", "name") for entity in ("run", "job", "dataset")},
    "column_lineage": (
        "output_dataset_version_uuid",
        "output_dataset_field_uuid",
        "input_dataset_version_uuid",
        "input_dataset_field_uuid",
    ),
}
"""Views that show it, and the columns that tell their rows apart; of facets, what came with them."""


def stored(store: Store, slices: Sequence[Sequence[Document]], received_at: str = RECEIVED_AT) -> Rows:
    """Every row of every table that events fill, when all slices are normalized, each in its turn.

    What is stored once is seen through its views: a list of pairs that gets one more is another list.
    """
    empty(store)
    for events in slices:
        put(store, events, received_at)
        assert normalize(store, SerialRunner()).quarantined == 0
    tables = [table.name for table in all_tables() if table.name not in PLATFORM | STORED_ONCE]
    tables += VIEW_KEYS
    return {name: [row for (row,) in rows(store, f"SELECT to_jsonb(r) FROM {name} AS r")] for name in tables}


@pytest.mark.slow
def test_an_event_ahead_of_its_receipt_changes_nothing_that_another_says(database: Store) -> None:
    hold(database, EXAMPLES, Counter())


def hold(database: Store, examples: int, met: Counter[str], first: int = 1) -> None:
    """Fails with the first example, from the one numbered `first` on, in which events that lie ahead change a row that
    others made. `met` counts the examples, under EXAMPLES_MET.
    """

    @drawn(examples)
    @given(arrival=arrivals(ahead=False), seed=st.integers(0, 1 << 32))
    def held(arrival: Arrival, seed: int) -> None:
        met[EXAMPLES_MET] += 1
        if met[EXAMPLES_MET] < first:
            return
        random = Random(f"{seed} {arrival}")
        ahead = [copy_from_ahead(event, random) for event in random.choices(arrival.events, k=random.randint(4, 10))]
        where = random.randint(0, len(arrival.slices))
        before = stored(database, arrival.slices)
        after = stored(database, [*arrival.slices[:where], ahead, *arrival.slices[where:]])
        assert {table: gone for table in before if (gone := not_kept(table, before[table], after[table]))} == {}

    held()


def not_kept(table: str, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> list[Any]:
    """The rows that are gone or say something else, each with what stands there now. What was null may be filled."""
    by_key: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in after:
        by_key[_key(table, row)].append(row)
    there = ((row, by_key[_key(table, row)]) for row in before)
    return [(row, others) for row, others in there if not any(_keeps(row, other) for other in others)]


def _keeps(row: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(value is None or other[column] == value for column, value in row.items())


def _key(table: str, row: dict[str, Any]) -> tuple[Any, ...]:
    key = VIEW_KEYS[table] if table in VIEW_KEYS else table_named(table).primary_key
    return tuple(str(row[name]) for name in key)


def copy_from_ahead(event: Document, random: Random) -> Document:
    """What a clock that is ahead says of the same run, job and datasets: at another time, and otherwise wherever the
    last or the first event counts.

    An ending only where the event is one, as an ending outweighs all else. Inputs have no columns: all of an input's go
    to the version that it reads. No dataset gets a source that others have: its version may become one of theirs, and
    its columns would be added to it.
    """
    copy = deepcopy(event)
    copy |= {"producer": CLOCK_AHEAD, "eventTime": (TIME + timedelta(minutes=random.randint(-5, 15))).isoformat()}
    if event.get("eventType") is not None and "run" in event:
        is_ending = event["eventType"].upper() in ("COMPLETE", "FAIL", "ABORT")
        copy["eventType"] = random.choice(("COMPLETE", "FAIL", "ABORT") if is_ending else ("START", "RUNNING", "OTHER"))
    for place, more in _PLACES:
        for one in [copy[place]] if isinstance(copy.get(place), dict) else copy.get(place, ()):
            one["facets"] = one.get("facets", {}) | more(random)
            if one["facets"].get("dataSource", {}).get("uri"):
                one["facets"]["dataSource"]["uri"] = "postgres://ahead:5432"
            if place == "inputs":
                one["facets"].pop("schema", None)
            if "columnLineage" in one["facets"]:
                _retell_columns(one["facets"]["columnLineage"])
    return copy


def _retell_columns(lineage: Document) -> None:
    for made_of in lineage["fields"].values():
        made_of["transformationType"] = "AHEAD"


def _of_run(random: Random) -> Document:
    return random.choice(
        (
            {},
            {"nominalTime": facet(nominalStartTime="2031-01-01T00:00:00Z")},
            {"spark.logicalPlan": facet(plan=["ahead"])},
        )
    )


def _of_job(random: Random) -> Document:
    return random.choice(
        (
            {"documentation": facet(description="ahead"), **_labels("ahead")},
            {"sourceCodeLocation": facet(type="git", url="https://git.example/ahead")},
            {"jobType": facet(processingType="STREAMING", integration="FLINK")},
        )
    )


def _of_dataset(random: Random) -> Document:
    return random.choice(
        (
            {},
            {"documentation": facet(description="ahead"), **_labels("ahead")},
            {"dataSource": facet(name="ahead", uri="postgres://ahead:5432")},
            {"lifecycleStateChange": facet(lifecycleStateChange="DROP")},
        )
    )


def _labels(name: str) -> Document:
    return {"tags": facet(tags=[{"key": name, "value": ""}]), "ownership": facet(owners=[{"name": name}])}


_PLACES: Sequence[tuple[str, Callable[[Random], Document]]] = (
    ("run", _of_run),
    ("job", _of_job),
    ("dataset", _of_dataset),
    ("inputs", _of_dataset),
    ("outputs", _of_dataset),
)


@pytest.mark.slow
def test_where_all_events_lie_ahead_of_their_receipt_the_tables_say_what_they_would_say(database: Store) -> None:
    @drawn(EXAMPLES)
    @given(arrival=arrivals(ahead=False))
    def held(arrival: Arrival) -> None:
        usual = _without_orders(stored(database, arrival.slices))
        ahead = _without_orders(stored(database, arrival.slices, RECEIVED_BEFORE))
        assert Counter(ahead) == Counter(usual)

    held()


MOVED_BY_NOTHING_AHEAD = {"job_version_timeline", "job_edges", "dataset_endings"}
"""The tables of edges: no event ahead of its receipt begins or ends one, even where there is no other."""


def _without_orders(tables: Rows) -> Iterator[tuple[str, str]]:
    """Each row as text. The orders of events tell the verdict."""
    for table in all_tables():
        of_orders = [column.name for column in table.stored if column.type == BYTEA]
        for row in tables.get(table.name, ()):
            if table.name not in MOVED_BY_NOTHING_AHEAD:
                yield table.name, str({name: value for name, value in row.items() if name not in (*of_orders, "says")})


LAST = "ORDER BY event_order\n    LIMIT 1\n) AS "
MUTANTS = (
    Mutant(
        "the current version of a dataset is what an event ahead wrote",
        "model/derive/dataset_versions",
        f"{LAST}current",
        LAST.replace("\n", " DESC\n", 1) + "current",
    ),
    Mutant(
        "a job version is as new as an event ahead",
        "model/derive/job_versions",
        f"{LAST}last_moment ON true",
        LAST.replace("\n", " DESC\n", 1) + "last_moment ON true",
    ),
    Mutant(
        "the current version of a job is that of an event ahead",
        "model/derive/job_versions",
        "ORDER BY job_uuid, is_ahead(event_order), event_order DESC",
        "ORDER BY job_uuid, event_order DESC",
    ),
    Mutant(
        "an event ahead says how a column was made",
        "model/derive/column_lineage",
        ",\n                is_ahead(place.in_order)\n",
        "\n",
        example=70,
    ),
    Mutant(
        "a dataset is as old as an event ahead",
        "model/derive/datasets",
        "(array_agg(created_at ORDER BY first_claim))[1]",
        "min(created_at)",
        example=70,
    ),
    Mutant(
        "a job is as old as an event ahead",
        "model/merge/jobs",
        "THEN made.created_at ELSE stored.created_at END",
        "THEN least(made.created_at, stored.created_at) ELSE least(made.created_at, stored.created_at) END",
        example=5,
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_law_fails(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_law_fails(mutant, lambda met, first: hold(database, 16 * EXAMPLES, met, first), monkeypatch)
