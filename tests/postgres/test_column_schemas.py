"""The schema that describes a column: when its row is written, what retention leaves, and the move of older stores."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, LiteralString

import pytest

from lineage_core import statements
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, Document, dataset, facet, run_event
from tests.support.columns_of_before import kept_by_their_last_event
from tests.support.held_changes import while_held
from tests.support.moved_rows import ALL, moved, moved_one_by_one
from tests.support.named_contents import astray
from tests.support.named_migrations import named_by_upgrade
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = pytest.mark.postgres

NAME = "column-schemas"
DAY = timedelta(days=1)
DESCRIBED: LiteralString = "SELECT name, description FROM dataset_fields ORDER BY name"
WRITTEN: LiteralString = "SELECT name, xmin::text FROM dataset_fields ORDER BY name"
WAITING: LiteralString = "SELECT FROM dataset_fields WHERE latest_event IS NOT NULL"
OF_THE_SCHEMA_THAT_IS_GONE: LiteralString = "SELECT schema_uuid, updated_at FROM dataset_fields WHERE name = 'a'"
LEAVING: LiteralString = """
CREATE TEMP TABLE leaving_dataset_schemas ON COMMIT DROP AS
SELECT uuid, 1 AS number FROM dataset_schemas ORDER BY latest_event DESC LIMIT 1
"""
GOES: LiteralString = "DELETE FROM dataset_schemas WHERE uuid IN (SELECT uuid FROM leaving_dataset_schemas)"
AS_A_MERGE: LiteralString = """
UPDATE dataset_fields
SET description = 'of a merge', updated_at = now()::date, latest_event = NULL, schema_uuid = gen_random_uuid()
WHERE name = 'z'
"""


def described(day: float, words: str, *columns: str, name: str = "orders", run: int = 0) -> Document:
    """A run that writes a dataset, of which each column has these words."""
    fields: list[Any] = [{"name": column, "type": "INT", "description": f"{column} {words}"} for column in columns]
    return run_event(
        "COMPLETE",
        run_id=f"{name} {words} {day} {run}",
        time=TIME + day * DAY,
        outputs=[dataset(name, namespace="shop", facets={"schema": facet(fields=fields)})],
    )


def test_a_schema_that_comes_again_writes_no_column(database: Store) -> None:
    take_in(database, [described(0, "of old", "a", "b")])
    before = rows(database, WRITTEN)
    take_in(database, [described(1, "of old", "a", "b"), described(2, "of old", "a", "b")])
    assert rows(database, WRITTEN) == before
    take_in(database, [described(3, "of now", "b")])
    after = rows(database, WRITTEN)
    assert (after[0], after[1] != before[1]) == (before[0], True)
    assert rows(database, DESCRIBED) == [("a", "a of old"), ("b", "b of now")]
    take_in(database, [described(2.5, "of old", "a", "b")])
    assert rows(database, WRITTEN) == after


def test_an_earlier_event_of_a_schema_makes_its_columns_older(database: Store) -> None:
    take_in(database, [described(1, "of old", "a"), described(2, "of old", "a")])
    take_in(database, [described(0, "of old", "a")])
    assert rows(database, "SELECT created_at, updated_at FROM dataset_fields") == [(TIME, TIME)]


def test_one_of_a_later_schema_does_not_but_the_schema_is_older(database: Store) -> None:
    take_in(database, [described(0, "of old", "a"), described(2, "of now", "a")])
    take_in(database, [described(1, "of now", "a")])
    assert rows(database, "SELECT created_at, updated_at FROM dataset_fields") == [(TIME, TIME + DAY)]


def test_of_events_of_one_time_the_first_counts_in_any_order(database: Store) -> None:
    events = [described(0, "of old", "a", run=run) for run in range(6)]
    stored = []
    for order in (events, events[::-1]):
        empty(database)
        for event in order:
            take_in(database, [event])
        stored.append(contents(database))
    assert differences(*stored) == {}


def test_of_schemas_that_alternate_the_last_one_described_describes(database: Store) -> None:
    for day in range(4):
        take_in(database, [described(day, "of readers" if day % 2 else "of writers", "a", "b", *("c" * (day % 2)))])
        words = "of readers" if day % 2 else "of writers"
        assert rows(database, DESCRIBED)[:2] == [("a", f"a {words}"), ("b", f"b {words}")]
    assert rows(database, "SELECT DISTINCT updated_at FROM dataset_fields") == [(TIME + DAY,)]


HISTORY = [
    described(0, "of old", "a", "b"),
    described(1, "of now", "b", "c"),
    described(2, "of old", "a", "b"),
    described(2, "of theirs", "z", name="sums"),
]

LATER = {
    "the same": [described(5, "of old", "a", "b")],
    "another": [described(5, "of later", "a", "b", "d")],
    "one of before": [described(5, "of now", "b", "c")],
    "one that comes late": [described(1.5, "of between", "a", "b", "c")],
    "an earlier event of the last one": [described(-1, "of old", "a", "b")],
    "the same, and one that comes late": [described(5, "of old", "a", "b"), described(1.5, "of now", "b", "c")],
}


def all_named(store: Store, waiting: int = 0) -> dict[str, list[str]]:
    """All rows after the long migration. waiting: how many columns it has left as they were."""
    moved(store, NAME)
    assert len(rows(store, WAITING)) == waiting
    return contents(store)


@pytest.mark.parametrize("workers", [1, 3])
def test_columns_that_an_earlier_release_has_left_get_their_schema(database: Store, workers: int) -> None:
    take_in(database, HISTORY)
    wanted = contents(database)
    kept_by_their_last_event(database)
    assert moved_one_by_one(database, NAME, workers) == 4
    assert differences(contents(database), wanted) == {}
    assert moved(database, NAME) == 0


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
@pytest.mark.parametrize("again", [1, 2], ids=["once", "twice"])
def test_a_merge_beside_their_move_gives_what_it_gives_without(
    database: Store, later: list[Document], again: int
) -> None:
    take_in(database, HISTORY)
    for _ in range(again):
        take_in(database, later)
    wanted = contents(database)
    empty(database)
    take_in(database, HISTORY)
    kept_by_their_last_event(database)
    for _ in range(again):
        take_in(database, later)
    assert astray(database) == []
    assert differences(all_named(database), wanted) == {}


def without_the_last_schema(database: Store, leave: Callable[[Store], object]) -> None:
    """What its mentions state of the columns stays; the mentions and the schema go."""
    before_the_last_schema_goes(database, leave)
    delete_what_is_old(database)


def before_the_last_schema_goes(database: Store, leave: Callable[[Store], object]) -> None:
    take_in(
        database,
        [described(0, "of old", "a", "b"), described(1, "of now", "a"), described(1.1, "of now", "a", run=1)],
    )
    leave(database)
    with database.connect() as connection:
        connection.execute(
            "DELETE FROM dataset_mentions WHERE event_order <> (SELECT min(event_order) FROM event_ledger)"
        )
    for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS):
        set_policy(database, Policy(kind, "*", 300 * DAY, 0))
    set_policy(database, Policy(PolicyKind.CONTENTS, "*", 30 * DAY, None))


def delete_what_is_old(database: Store) -> None:
    applied = retention.apply(database, retention.plan(database, TIME + 32 * DAY))
    assert applied.deleted["dataset_schemas"] == 1
    assert rows(database, "SELECT count(*) FROM dataset_schemas") == [(1,)]


@pytest.mark.parametrize("leave", [kept_by_their_last_event, lambda _: None], ids=["as before", "as now"])
def test_a_column_keeps_the_description_of_a_schema_that_retention_deletes(
    database: Store, leave: Callable[[Store], object]
) -> None:
    without_the_last_schema(database, leave)
    now, old = ("a", "a of now"), ("b", "b of old")
    assert rows(database, DESCRIBED) == [now, old]
    assert rows(database, OF_THE_SCHEMA_THAT_IS_GONE) == [(None, TIME + DAY)]
    assert astray(database) == []
    before = rows(database, WRITTEN)
    take_in(database, [described(0.5, "of old", "a", "b")])
    assert leave is kept_by_their_last_event or rows(database, WRITTEN) == before
    take_in(database, [described(-1, "of before", "a")])
    assert rows(database, DESCRIBED) == [now, old]
    take_in(database, [described(0.7, "of between", "a", "b")])
    assert rows(database, DESCRIBED) == [now, ("b", "b of between")]
    take_in(database, [described(2, "of old", "a", "b")])
    assert rows(database, DESCRIBED) == [("a", "a of old"), old]
    assert rows(database, WAITING) == []


def test_retention_that_waits_for_the_move_leaves_no_column_with_a_schema_that_is_gone(database: Store) -> None:
    before_the_last_schema_goes(database, kept_by_their_last_event)
    step = statements.named("long_migrations/column-schemas/step")
    while_held(database, step, partial(delete_what_is_old, database), ALL)
    assert rows(database, OF_THE_SCHEMA_THAT_IS_GONE) == [(None, TIME + DAY)]
    assert astray(database) == []


def test_nor_does_a_move_that_waits_for_retention(database: Store) -> None:
    before_the_last_schema_goes(database, kept_by_their_last_event)
    leave = statements.named("retention/delete/dataset_schemas/leave_descriptions") % {"after": 0, "until": 1}
    while_held(database, f"{LEAVING}; {leave}; {GOES}", partial(all_named, database, waiting=1))
    assert rows(database, OF_THE_SCHEMA_THAT_IS_GONE) == [(None, TIME + DAY)]
    assert [what for what, _ in astray(database) if what.startswith("column")] == []


def test_the_move_leaves_columns_whose_schema_has_gone(database: Store) -> None:
    without_the_last_schema(database, kept_by_their_last_event)
    assert moved(database, NAME) == 1
    assert rows(database, "SELECT name FROM dataset_fields WHERE latest_event IS NOT NULL") == [("a",)]
    assert rows(database, DESCRIBED) == [("a", "a of now"), ("b", "b of old")]


def test_an_upgrade_names_the_migration_while_columns_wait_for_it(database: Store) -> None:
    take_in(database, HISTORY)
    assert named_by_upgrade(database) == []
    kept_by_their_last_event(database)
    assert named_by_upgrade(database) == [NAME]
    all_named(database)
    assert named_by_upgrade(database) == []


def test_an_upgrade_names_no_migration_for_a_column_whose_schema_has_gone(database: Store) -> None:
    without_the_last_schema(database, lambda _: None)
    assert rows(database, WAITING) != []
    assert named_by_upgrade(database) == []


def test_a_merge_that_waits_for_the_move_gives_what_it_gives_without(database: Store) -> None:
    """The merge meets rows that change while it waits for them."""
    later = partial(take_in, database, LATER["another"])
    take_in(database, HISTORY)
    later()
    wanted = contents(database)
    empty(database)
    take_in(database, HISTORY)
    kept_by_their_last_event(database)
    while_held(database, statements.named("long_migrations/column-schemas/step"), later, ALL)
    assert differences(all_named(database), wanted) == {}


def test_a_move_that_waits_for_a_merge_leaves_what_that_has_written(database: Store) -> None:
    take_in(database, HISTORY)
    wanted = contents(database)
    kept_by_their_last_event(database)
    left = differences(while_held(database, AS_A_MERGE, partial(all_named, database)), wanted)
    assert left.keys() == {"dataset_fields"}
    assert rows(database, "SELECT description, updated_at = now()::date FROM dataset_fields WHERE name = 'z'") == [
        ("of a merge", True)
    ]
