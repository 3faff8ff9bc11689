"""Pairs of columns, as arrays of their lists, and as an earlier release has kept them, beside their long migration."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import pytest

from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.workers import migrate
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.streams.publication import publish
from lineage_core.tasks import HERE, ThreadRunner
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event
from tests.support.changes import start_all
from tests.support.named_contents import astray
from tests.support.named_migrations import named_by_upgrade
from tests.support.query_plans import tables_read_whole
from tests.support.servers import Databases
from tests.support.single_pairs import LINEAGE, LISTS, NAME, PAIRS, WAITING, all_moved, kept_singly, while_lists_move
from tests.support.stores import contents, differences, empty, rows, take_in
from tests.support.stream_replay import differing_streams

pytestmark = pytest.mark.postgres


def made_of(*columns: str, how: str | None = None) -> Document:
    """Each column of sums comes from that of orders."""
    ways = [{"type": "DIRECT", "subtype": "IDENTITY", "description": how}] if how else []
    return {
        "columnLineage": facet(
            fields={
                column: {
                    "inputFields": [
                        {"namespace": "shop", "name": "orders", "field": column, "transformations": ways},
                    ]
                }
                for column in columns
            }
        )
    }


def ran(day: int, *columns: str, how: str | None = None, minutes: int = 0, run: int | None = None) -> Document:
    fields = [(column, "INT") for column in "abcd"]
    return run_event(
        "COMPLETE",
        run_id=f"run {day if run is None else run}",
        time=TIME + timedelta(days=day, minutes=minutes),
        inputs=[dataset("orders", namespace="shop", fields=fields)],
        outputs=[dataset("sums", namespace="shop", fields=fields, facets=made_of(*columns, how=how))],
    )


HISTORY = [
    ran(0, "a", "b"),
    ran(1, "a", "b"),
    ran(2, "a", "b", "c", how="copied"),
    # Two descriptions of one version: pairs with times of their own, and without a transformation.
    ran(3, "a", how="copied"),
    ran(3, "b", "c", minutes=5),
]


def test_they_are_moved_into_their_lists_and_readers_see_the_same(database: Store) -> None:
    take_in(database, HISTORY)
    wanted, seen, pairs = contents(database), rows(database, LINEAGE), rows(database, PAIRS)
    assert (len(seen), len(pairs), rows(database, LISTS)) == (10, 8, [(3,)])
    assert {row[4:6] for row in seen} == {(None, None), ("copied", "DIRECT:IDENTITY")}
    assert {row[5] is None for row in pairs} == {True, False}
    kept_singly(database)
    assert (rows(database, LINEAGE), rows(database, PAIRS)) == (seen, pairs)
    assert (rows(database, WAITING), rows(database, LISTS)) == ([(8,)], [(0,)])
    assert differences(all_moved(database), wanted) == {}
    assert (rows(database, LINEAGE), rows(database, PAIRS)) == (seen, pairs)
    records.plan(database, NAME)
    assert migrate(database, NAME, HERE).changed == 0


def test_an_upgrade_names_the_migration_while_lists_wait_for_it(database: Store) -> None:
    take_in(database, HISTORY)
    kept_singly(database)
    assert named_by_upgrade(database) == [NAME]
    all_moved(database)
    assert named_by_upgrade(database) == []


def test_a_list_is_moved_as_a_whole_however_few_rows_are_taken_at_a_time(database: Store) -> None:
    take_in(database, HISTORY)
    wanted = contents(database)
    kept_singly(database)
    records.plan(database, NAME)
    for setting in ("smallest_rows", "start_rows", "largest_rows"):
        records.change_setting(database, NAME, setting, "1")
    assert migrate(database, NAME, ThreadRunner(), workers=2).changed == 3
    assert differences(contents(database), wanted) == {}


def test_a_list_whose_columns_are_not_of_one_dataset_stays_as_it_is(database: Store) -> None:
    take_in(database, HISTORY)
    seen = rows(database, PAIRS)
    kept_singly(database)
    with database.connect() as connection:
        connection.execute(
            "UPDATE dataset_fields SET dataset_uuid = (SELECT uuid FROM datasets WHERE name = 'orders')"
            " WHERE name = 'c' AND dataset_uuid = (SELECT uuid FROM datasets WHERE name = 'sums')"
        )
    records.plan(database, NAME)
    assert migrate(database, NAME, HERE).changed == 1
    assert len(rows(database, "SELECT FROM migration_quarantine")) == 2
    assert rows(database, PAIRS) == seen


LATER: dict[str, list[Any]] = {
    "the same pairs again": [ran(5, "a", "b")],
    "other pairs": [ran(5, "a", "d")],
    "other pairs of the same versions": [ran(2, "d", run=2, minutes=9)],
    "an earlier event": [ran(-1, "a", "b", how="copied")],
    "a run that stated them last states others": [ran(3, "a", run=3, minutes=9), ran(2, "d", run=2, minutes=-9)],
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_a_merge_beside_it_gives_what_it_gives_without(database: Store, later: list[Document]) -> None:
    take_in(database, HISTORY)
    take_in(database, later)
    wanted, seen = contents(database), rows(database, LINEAGE)
    empty(database)
    take_in(database, HISTORY)
    kept_singly(database)
    take_in(database, later)
    assert rows(database, LINEAGE) == seen
    assert astray(database) == []
    assert differences(all_moved(database), wanted) == {}


def test_retention_beside_it_leaves_what_it_leaves_without(database: Store) -> None:
    day = timedelta(days=1)
    for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS):
        set_policy(database, Policy(kind, "*", 30 * day, 0))
    set_policy(database, Policy(PolicyKind.CONTENTS, "*", 30 * day, None))
    left = []
    for prepare in (lambda _: None, kept_singly):
        empty(database)
        take_in(database, HISTORY)
        seen = rows(database, PAIRS)
        prepare(database)
        planned = retention.plan(database, TIME + 32 * day + day / 2)
        applied = retention.apply(database, planned)
        assert dict(applied.deleted) == dict(planned.tables)
        assert 0 < len(rows(database, PAIRS)) < len(seen)
        assert astray(database) == []
        left.append((rows(database, LINEAGE), all_moved(database)))
    (lineage, tables), (lineage_beside, tables_beside) = left
    assert lineage_beside == lineage
    assert differences(tables_beside, tables) == {}


OF_LISTS_THAT_ARE_THERE = {name: later for name, later in LATER.items() if name != "other pairs"}


@pytest.mark.parametrize("later", OF_LISTS_THAT_ARE_THERE.values(), ids=OF_LISTS_THAT_ARE_THERE)
def test_a_merge_waits_for_lists_that_are_being_moved(database: Store, later: list[Document]) -> None:
    take_in(database, HISTORY)
    take_in(database, later)
    wanted = contents(database)
    empty(database)
    take_in(database, HISTORY)
    kept_singly(database)
    while_lists_move(database, lambda: take_in(database, later))
    assert astray(database) == []
    assert differences(contents(database), wanted) == {}


def test_a_list_that_is_being_moved_while_retention_deletes_goes_the_next_time(database: Store) -> None:
    day = timedelta(days=1)
    for kind in (PolicyKind.RUNS, PolicyKind.VERSIONS):
        set_policy(database, Policy(kind, "*", 30 * day, 0))
    set_policy(database, Policy(PolicyKind.CONTENTS, "*", 30 * day, None))
    take_in(database, HISTORY)
    kept_singly(database)
    planned = retention.plan(database, TIME + 32 * day + day / 2)
    while_lists_move(database, lambda: retention.apply(database, planned))
    assert {fault for fault, _ in astray(database)} <= {"list of pairs that holds nowhere"}
    retention.apply(database, retention.plan(database, TIME + 32 * day + day / 2))
    assert astray(database) == []


@pytest.mark.parametrize("side", ["output", "input"])
def test_a_list_is_found_under_the_datasets_that_its_columns_have_when_it_is_stated_again(
    database: Store, side: LiteralString
) -> None:
    """Retention may leave a list whose datasets go, and somebody else may make these anew, by other ids."""
    take_in(database, [ran(0, "a", "b")])
    with database.connect() as connection:
        connection.execute("DELETE FROM column_lineage_versions")
        connection.execute(f"UPDATE column_lineage_lists SET {side}_dataset_uuid = gen_random_uuid()")
    assert rows(database, LINEAGE) == []
    take_in(database, [ran(1, "a", "b")])
    assert len(rows(database, LINEAGE)) == 2
    assert astray(database) == []


def test_a_list_that_holds_nowhere_and_whose_columns_are_gone_is_not_moved(database: Store) -> None:
    """Retention that deletes datasets, and no contents, leaves such lists."""
    take_in(database, HISTORY)
    kept_singly(database)
    with database.connect() as connection:
        connection.execute("DELETE FROM column_lineage_versions")
        connection.execute("DELETE FROM dataset_fields")
    all_moved(database)
    assert (rows(database, WAITING), rows(database, LISTS)) == ([(0,)], [(0,)])


def test_a_list_that_moves_is_no_change_of_its_stream(database: Store, tmp_path: Path) -> None:
    take_in(database, HISTORY)
    start_all(database)
    publish(database, str(tmp_path))
    kept_singly(database)
    records.plan(database, NAME)
    migrate(database, NAME, HERE)
    assert rows(database, WAITING) == [(0,)]
    assert publish(database, str(tmp_path)).streams == ()
    assert differing_streams(database, tmp_path) == {}


@pytest.mark.parametrize("moves_after", [0, 1, 2])
def test_changes_that_wait_are_published_once_whether_their_list_hasall_moved(
    database: Store, tmp_path: Path, moves_after: int
) -> None:
    """A list that has moved since a version named it is in both tables of contents, and one that went is in either."""
    take_in(database, HISTORY[:2])
    start_all(database)
    publish(database, str(tmp_path))
    kept_singly(database)
    for number, slice_ in enumerate(([ran(5, "a", "b")], [ran(0, "d", run=0, minutes=9)], [])):
        if number == moves_after:
            records.plan(database, NAME)
            migrate(database, NAME, HERE)
        take_in(database, slice_)
    publish(database, str(tmp_path))
    assert differing_streams(database, tmp_path) == {}


# Where each event has datasets and pairs of its own, so that all these tables grow with the events.
SPARSE = 400
LARGE = {
    "column_lineage_lists",
    "column_lineage_versions",
    "column_pairs_to_move",
    "dataset_fields",
    "dataset_versions",
    "datasets",
}
READ: dict[str, LiteralString] = {
    "origins of versions": "SELECT * FROM column_lineage WHERE output_dataset_version_uuid = ANY (%s)",
    "what was made of versions": "SELECT * FROM column_lineage WHERE input_dataset_version_uuid = ANY (%s)",
    "origins of columns": "SELECT * FROM column_lineage WHERE output_dataset_field_uuid = ANY (%s)",
    "what was made of columns": "SELECT * FROM column_lineage WHERE input_dataset_field_uuid = ANY (%s)",
    "pairs of lists": "SELECT * FROM column_lineage_pairs WHERE pairs_uuid = ANY (%s)",
}
"""By the column of the view that each names."""


def sparse() -> Iterator[Document]:
    for number in range(SPARSE):
        fields = [(f"{column}{number}", "INT") for column in "abcdefgh"]
        pairs = {
            name: {"inputFields": [{"namespace": "shop", "name": f"orders {number}", "field": name}]}
            for name, _ in fields
        }
        yield run_event(
            "COMPLETE",
            run_id=f"0190a0a0-0000-7000-8000-{number:012}",
            time=TIME + timedelta(minutes=number),
            job=named_job(f"job {number}"),
            inputs=[dataset(f"orders {number}", namespace="shop", fields=fields)],
            outputs=[
                dataset(
                    f"sums {number}",
                    namespace="shop",
                    fields=fields,
                    facets={"columnLineage": facet(fields=pairs)},
                )
            ],
        )


UNRELATED_COLUMNS: LiteralString = """
INSERT INTO dataset_fields (uuid, type, created_at, updated_at, dataset_uuid, name)
SELECT gen_random_uuid(), 'INT', now(), now(), datasets.uuid, 'other ' || number
FROM datasets, generate_series(1, 60) AS number
"""
"""A wide dataset has more columns than those whose lineage is asked for."""


@pytest.fixture(scope="module", params=["as arrays", "one by one", "half of them moved"])
def filled(request: pytest.FixtureRequest, databases: Databases, _template: str) -> Iterator[Store]:
    with databases.copied(_template) as store:
        take_in(store, sparse())
        with store.connect() as connection:
            connection.execute(UNRELATED_COLUMNS)
        if request.param != "as arrays":
            kept_singly(store)
        with store.connect() as connection:
            if request.param == "half of them moved":
                connection.execute(
                    "SELECT take_in_pairs(array_agg(pairs_uuid)) FROM (SELECT DISTINCT pairs_uuid"
                    " FROM column_pairs_to_move ORDER BY pairs_uuid LIMIT %s) AS first_ones",
                    [SPARSE // 2],
                )
        with store.connect(autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        yield store


ASKED = {f"{name}, named": (query, False) for name, query in READ.items()} | {
    f"{name}, joined": (query, True) for name, query in READ.items() if "FROM column_lineage_pairs " not in query
}
"""Whoever reads the pairs of lists names these."""


@pytest.mark.parametrize(("query", "is_joined"), ASKED.values(), ids=ASKED)
def test_pairs_are_found_by_index(filled: Store, query: LiteralString, is_joined: bool) -> None:
    view, _, column, *_ = query.removeprefix("SELECT * FROM ").split(" ")
    asked = f"SELECT * FROM unnest(%s::uuid[]) AS key (uuid) JOIN {view} ON {column} = key.uuid" if is_joined else query
    keys = [key for (key,) in rows(filled, f"SELECT DISTINCT {column} FROM {view} ORDER BY 1 LIMIT 3")]
    found = rows(filled, asked, [keys])
    assert len(found) >= len(keys) == 3
    with filled.connect() as connection:
        # As where data is in memory, or on a fast disk: so few rows would else be read whole with good reason.
        connection.execute("SET random_page_cost = 1")
        assert _read_whole(connection, asked, keys) & LARGE == set()


def _read_whole(connection: Connection, query: str, keys: list[UUID]) -> set[str]:
    """The tables with rows that are."""
    ((plan,),) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query}".encode(), [keys]).fetchall()
    return {
        table
        for table in tables_read_whole(plan)
        if connection.execute(f"SELECT FROM {table} LIMIT 1".encode()).rowcount
    }
