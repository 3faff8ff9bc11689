"""What thousands of jobs read, each day: a dimension, or a calendar."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from lineage_core import statements
from lineage_core.postgres.store import Store
from lineage_core.reading.store import dataset_named
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.query_plans import plan_nodes
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

JOBS, DAYS = 100, 3
HANDLED = ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter")
FIELDS = [("id", "INT"), ("day", "DATE")]
MADE_OF = {
    "columnLineage": facet(fields={"id": {"inputFields": [{"namespace": "shop", "name": "calendar", "field": "id"}]}})
}


@pytest.mark.parametrize("settings", ["reading/settings", "answers/graph/settings"])
def test_its_readers_are_found_by_what_each_has_written_last(database: Store, settings: str) -> None:
    """By as many rows for each, however many there are, and however often they have read it."""
    take_in(database, days())
    with dataset_named(database, "shop", "calendar") as calendar:
        assert {read.job for read in calendar.read_columns()} == {f"shop/job {job}" for job in range(JOBS)}
        calendar.connection.execute(statements.named(settings))
        query = f"EXPLAIN (ANALYZE, FORMAT JSON) {statements.named('reading/readers_of_columns')}".encode()
        ((plan,),) = calendar.connection.execute(query, {"dataset": calendar.dataset}).fetchall()
    handled = sum(node["Actual Loops"] * sum(node.get(rows, 0) for rows in HANDLED) for node in plan_nodes(plan))
    assert handled < 150 * JOBS


def days() -> Iterator[dict[str, Any]]:
    """Each day a run writes `calendar`, and each job reads it, with a table of its own."""
    for number in range(DAYS * JOBS):
        day, job = divmod(number, JOBS)
        time = TIME + timedelta(days=day, seconds=job)
        calendar = dataset("calendar", namespace="shop", fields=FIELDS)
        if job == 0:
            writer = f"0190a0a0-0000-7000-8000-{number + 1_000_000:012}"
            yield run_event("COMPLETE", run_id=writer, time=time - timedelta(hours=1), outputs=[calendar])
        yield run_event(
            "COMPLETE",
            run_id=f"0190a0a0-0000-7000-8000-{number:012}",
            time=time,
            job=named_job(f"job {job}", "shop"),
            inputs=[calendar, dataset(f"orders {job}", namespace="shop", fields=FIELDS)],
            outputs=[dataset(f"sums {job}", namespace="shop", fields=FIELDS, facets=MADE_OF)],
        )
