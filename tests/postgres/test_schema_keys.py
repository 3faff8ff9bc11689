"""The keys of the fields of a schema: an array beside the fields, and the move of those of older stores."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import LiteralString

import pytest

from lineage_core import statements
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, Document, Fields, dataset, facet, run_event
from tests.support.held_changes import while_held
from tests.support.moved_rows import ALL, moved, moved_one_by_one
from tests.support.named_contents import astray
from tests.support.named_migrations import named_by_upgrade
from tests.support.schemas_of_before import kept_with_their_keys
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = pytest.mark.postgres

NAME = "schema-keys"
DAY = timedelta(days=1)
WAITING: LiteralString = "SELECT FROM dataset_schemas WHERE keyed_fields IS NOT NULL OR field_keys IS NULL"
FIELDS: LiteralString = """
SELECT field.*
FROM dataset_schemas AS schema
CROSS JOIN LATERAL schema_fields(schema.fields, schema.field_keys, schema.keyed_fields) AS field
ORDER BY schema.uuid, field.place
"""
KEYS: LiteralString = """
SELECT field.uuid
FROM dataset_schemas AS schema
CROSS JOIN LATERAL schema_keys(schema.field_keys, schema.keyed_fields) AS field
ORDER BY schema.uuid, field.uuid
"""


def described(day: float, *columns: str, name: str = "orders", alias: str | None = None) -> Document:
    """A run that writes a dataset, of which each column has a description, or else no type."""
    fields: Fields = [(one, None) if one.isupper() else (one, "INT", f"{one} of {day}") for one in columns]
    names = [{"namespace": "hive", "name": alias, "type": "TABLE"}] if alias else []
    return run_event(
        "COMPLETE",
        run_id=f"{name} {day}",
        time=TIME + day * DAY,
        outputs=[dataset(name, namespace="shop", fields=fields, facets={"symlinks": facet(identifiers=names)})],
    )


def bare(day: float) -> Document:
    """A run that writes a dataset without a list of columns."""
    return run_event("COMPLETE", run_id=f"bare {day}", time=TIME + day * DAY, outputs=[dataset("bare")])


HISTORY = [
    described(0, "b", "a", "A"),
    described(1, "b", "c"),
    described(2, "z", name="sums"),
    described(3, name="empty"),
    bare(4),
]

LATER = {
    "the same": [described(5, "b", "c"), bare(5)],
    "another": [described(5, "a", "d")],
    "one that comes late": [described(0.5, "b", "a", "d")],
    "a name that is another dataset's": [described(5, "z", name="all", alias="sums"), described(6, "y", name="sums")],
    "an older name": [
        run_event(
            "COMPLETE",
            run_id="renamed",
            time=TIME - DAY,
            outputs=[
                dataset(
                    "orders of old",
                    namespace="shop",
                    fields=[("a", "INT")],
                    facets={"symlinks": facet(identifiers=[{"namespace": "shop", "name": "orders", "type": "TABLE"}])},
                )
            ],
        )
    ],
}


def test_fields_and_keys_are_read_alike_in_both_forms(database: Store) -> None:
    take_in(database, HISTORY)
    fields, keys = rows(database, FIELDS), rows(database, KEYS)
    assert sorted((name, type, place) for _, name, type, _, place in fields) == [
        ("A", None, 3),
        ("a", "INT", 2),
        ("b", "INT", 1),
        ("b", "INT", 1),
        ("c", "INT", 2),
        ("z", "INT", 1),
    ]
    assert len(keys) == len(fields)
    assert kept_with_their_keys(database) == len(HISTORY)
    assert (rows(database, FIELDS), rows(database, KEYS)) == (fields, keys)


@pytest.mark.parametrize("workers", [1, 3])
def test_schemas_that_an_earlier_release_has_left_get_the_array(database: Store, workers: int) -> None:
    take_in(database, HISTORY)
    wanted = contents(database)
    kept_with_their_keys(database)
    assert moved_one_by_one(database, NAME, workers) == len(HISTORY)
    assert differences(contents(database), wanted) == {}
    assert moved(database, NAME) == 0


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_merge_beside_their_move_gives_what_it_gives_without(database: Store, later: list[Document]) -> None:
    take_in(database, HISTORY)
    take_in(database, later)
    wanted = contents(database)
    empty(database)
    take_in(database, HISTORY)
    kept_with_their_keys(database)
    take_in(database, later)
    assert astray(database) == []
    moved(database, NAME)
    assert rows(database, WAITING) == []
    assert differences(contents(database), wanted) == {}


def test_a_merge_that_waits_for_the_move_gives_what_it_gives_without(database: Store) -> None:
    """The merge meets rows that change while it waits for them."""
    later = partial(take_in, database, LATER["the same"])
    take_in(database, HISTORY)
    later()
    wanted = contents(database)
    empty(database)
    take_in(database, HISTORY)
    kept_with_their_keys(database)
    while_held(database, statements.named("long_migrations/schema-keys/step"), later, ALL)
    assert rows(database, WAITING) == []
    assert differences(contents(database), wanted) == {}


@pytest.mark.parametrize("leave", [kept_with_their_keys, lambda _: None], ids=["as before", "as now"])
def test_retention_keeps_the_columns_of_a_schema_that_stays(database: Store, leave: Callable[[Store], object]) -> None:
    take_in(database, [described(0, "a", "A"), described(1, "b")])
    leave(database)
    with database.connect() as connection:
        connection.execute("UPDATE dataset_schema_versions SET field_uuids = '{}'")
        connection.execute(
            "DELETE FROM dataset_mentions WHERE event_order <> (SELECT min(event_order) FROM event_ledger)"
        )
    set_policy(database, Policy(PolicyKind.CONTENTS, "*", 30 * DAY, None))
    applied = retention.apply(database, retention.plan(database, TIME + 40 * DAY))
    assert applied.deleted["dataset_schemas"] == 1
    assert rows(database, 'SELECT name FROM dataset_fields ORDER BY name COLLATE "C"') == [("A",), ("a",)]


def test_an_upgrade_names_the_migration_while_schemas_wait_for_it(database: Store) -> None:
    take_in(database, HISTORY)
    assert named_by_upgrade(database) == []
    kept_with_their_keys(database)
    assert named_by_upgrade(database) == [NAME]
    assert moved(database, NAME) == len(HISTORY)
    assert named_by_upgrade(database) == []
