"""What storing once has saved: of a store that keeps few rows for many mentions, and of one that has nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

RUNS = 60


def test_the_overview_says_how_many_rows_there_would_be_and_how_many_are_kept(database: Store) -> None:
    owned = {"ownership": facet(owners=[{"name": "shop"}])}
    made = dataset("sums", fields=[("a", "INT"), ("b", "INT"), ("c", "INT")], facets=owned)
    run_ids = (f"0190a0a0-0000-7000-8000-{number:012}" for number in range(RUNS))
    take_in(
        database,
        [
            run_event("COMPLETE", run_id=run, time=TIME + timedelta(hours=number), job=named_job(), outputs=[made])
            for number, run in enumerate(run_ids)
        ],
    )
    with database.connect() as connection:
        connection.execute("ANALYZE")
    found = {one["what"]: one for one in client(database).get("/api/overview").json()["stored_once"]}
    # Each event states the schema and the owner of its output.
    assert (found["facets"]["stated"], found["facets"]["kept"]) == (2 * RUNS, 2)
    assert found["facets"]["stated_bytes"] > 2 * RUNS * 50
    of_columns = found["columns of dataset versions"]
    assert (of_columns["stated"], of_columns["kept"]) == (3 * RUNS, 3)
    shown = client(database).get("/").text
    assert f"3 kept, where one each time would be {3 * RUNS}" in shown


def test_facets_that_only_later_events_have_and_plans_that_runs_keep_once_are_counted(database: Store) -> None:
    """The first rows of a table are not like the others."""
    run_ids = [f"0190a0a0-0000-7000-8000-{number:012}" for number in range(4 * RUNS)]
    bare = [run_event("COMPLETE", run_id=run) for run in run_ids[: 2 * RUNS]]
    marked = [
        run_event("COMPLETE", run_id=run, facets={"own": facet(run=run), "spark.logicalPlan": facet(plan=["the same"])})
        for run in run_ids[2 * RUNS :]
    ]
    for events in (bare, marked):
        take_in(database, events)
    with database.connect() as connection:
        connection.execute("ANALYZE")
    (facets,) = client(database).get("/api/overview").json()["stored_once"]
    assert (facets["what"], facets["stated"], facets["kept"]) == ("facets", 4 * RUNS, 2 * RUNS + 1)


def test_of_an_empty_store_the_overview_says_nothing_of_it(database: Store) -> None:
    assert client(database).get("/api/overview").json()["stored_once"] == []
    assert "Stored once" not in client(database).get("/").text
