"""Rows that somebody else has made, with uuids of his own, are taken as they are."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from lineage_core.declare.tables import all_tables
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, facet, named_job, parent, run_event
from tests.support.rows_of_others import DERIVED, DRAWN, OthersRows
from tests.support.servers import Databases
from tests.support.stores import PLATFORM, empty, put, rows, take_in
from tests.support.waiting import until

pytestmark = pytest.mark.postgres

RUN = "0190a0a0-0000-7000-8000-00000000000{}"
FIELDS = [("id", "INT"), ("name", None)]
SOURCE = {"dataSource": facet(name="warehouse", uri="jdbc:postgresql://warehouse")}
ALIAS = {"symlinks": facet(identifiers=[{"namespace": "lake", "name": "orders", "type": "TABLE"}])}
TAGS = {"tags": facet(tags=[{"key": "pii", "value": "true", "source": "USER"}])}
OWNERS = {"ownership": facet(owners=[{"name": "ann", "type": "MAINTAINER"}])}
MADE_OF = {
    "columnLineage": facet(fields={"id": {"inputFields": [{"namespace": "shop", "name": "orders", "field": "id"}]}})
}


def events() -> list[dict[str, Any]]:
    """A dataset under two names, its reader, a child job whose parent never reports, tags and owners, a namespace that
    is formatted, and `default`."""
    orders = dataset("orders", fields=FIELDS, facets=SOURCE | ALIAS | TAGS | OWNERS)
    read = dataset("orders", namespace="lake", fields=[*FIELDS, ("late", "INT")])
    sums = dataset("sums", namespace="s;o", fields=FIELDS, facets=MADE_OF | OWNERS)
    child = parent(RUN.format(9), "dag", "default")
    labelled = named_job("fill", "default", facets=TAGS | OWNERS)
    at = [TIME + timedelta(minutes=minute) for minute in range(6)]
    return [
        run_event("START", run_id=RUN.format(1), time=at[0], outputs=[orders]),
        run_event("COMPLETE", run_id=RUN.format(1), time=at[1], outputs=[orders]),
        run_event("START", run_id=RUN.format(2), time=at[2], job=labelled, inputs=[read], facets=child),
        run_event(
            "COMPLETE", run_id=RUN.format(2), time=at[3], job=labelled, inputs=[orders], outputs=[sums], facets=child
        ),
        run_event("COMPLETE", run_id=RUN.format(3), time=at[4], inputs=[sums], outputs=[orders]),
    ]


@pytest.fixture(scope="module")
def others(databases: Databases, _template: str) -> Iterator[OthersRows]:
    """The rows of another, after those that the events make where no one else writes."""
    with databases.copied(_template) as store:
        assert take_in(store, events()).quarantined == 0
        yield OthersRows(store)


def test_every_table_with_a_natural_key_is_among_those_of_these_tests() -> None:
    """Where somebody else's row could stand in the way of ours, or beside it."""
    keyed = {
        table.name
        for table in all_tables()
        if table.name not in PLATFORM
        and (table.unique or any(column.entity == table.name for column in table.columns))
        and "uuid" in table.primary_key
    }
    kept_by_hand = {"namespace_ownerships"}
    assert keyed - kept_by_hand == DRAWN.keys()


@pytest.mark.parametrize("name", [*DRAWN, *DERIVED])
def test_rows_that_another_has_made_before_change_nothing_but_ids(
    database: Store, others: OthersRows, name: str
) -> None:
    with database.connect() as connection:
        others.insert(connection, name)
    outcome = take_in(database, events())
    assert (outcome.events, outcome.quarantined) == (len(events()), 0)
    assert others.differences(database) == {}
    assert name in others.taken(database) or name in DERIVED


def test_rows_that_another_makes_between_two_merges_change_nothing_but_ids(database: Store, others: OthersRows) -> None:
    for number, event in enumerate(events()):
        if number:
            with database.connect() as connection:
                others.insert_all(connection)
        assert take_in(database, [event]).quarantined == 0
    assert others.differences(database) == {}
    assert others.taken(database) >= {"namespaces", "jobs", "datasets", "dataset_fields", "dataset_versions"}


def test_rows_that_another_makes_during_a_merge_are_taken_when_he_commits(database: Store, others: OthersRows) -> None:
    put(database, events())
    outcomes: list[NormalizationOutcome] = []
    worker = threading.Thread(target=lambda: outcomes.append(normalize(database, SerialRunner())))
    with database.connect() as connection:
        others.insert_all(connection)
        worker.start()
        until(lambda: rows(database, "SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'") != [])
    worker.join()
    assert [(outcome.events, outcome.quarantined) for outcome in outcomes] == [(len(events()), 0)]
    assert others.differences(database) == {}
    assert others.taken(database) == DRAWN.keys()


def test_a_job_that_an_event_names_before_another_makes_its_row_is_found_when_it_reports(database: Store) -> None:
    """A child has named it as its parent, when no row of it was there."""
    child = run_event("START", run_id=RUN.format(1), facets=parent(RUN.format(9), "dag", "elsewhere"))
    itself = run_event("COMPLETE", run_id=RUN.format(9), job=named_job("dag", "elsewhere"))
    take_in(database, [child, itself])
    others = OthersRows(database)
    empty(database)
    take_in(database, [child])
    with database.connect() as connection:
        others.insert_all(connection)
    take_in(database, [itself])
    assert others.differences(database) == {}
    assert "jobs" in others.taken(database)


def test_the_upgrade_makes_the_namespace_that_marquez_would_make_when_it_starts(database: Store) -> None:
    assert rows(database, "SELECT uuid = key_uuid('namespaces', 'default') FROM namespaces WHERE name = 'default'") == [
        (True,)
    ]


def test_a_row_that_another_removes_and_makes_again_is_found_under_its_new_uuid(database: Store) -> None:
    made = (
        "INSERT INTO namespaces (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), 'shop')"
    )
    with database.connect(autocommit=True) as connection:
        connection.execute(made.encode())
        connection.execute("DELETE FROM namespaces WHERE name = 'shop'")
        connection.execute(made.encode())
    assert take_in(database, events()).quarantined == 0
    assert rows(database, "SELECT count(*) FROM namespaces WHERE name = 'shop'") == [(1,)]
    assert rows(database, "SELECT count(*) FROM jobs JOIN namespaces ON namespaces.uuid = namespace_uuid") == [(3,)]
