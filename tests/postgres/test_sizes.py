"""`lineage db size`: what the tables take, and what is saved by storing once what is stated again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lineage_core.database.sizes import store_size
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

COLUMNS = [("id", "INT"), ("total", "INT")]
MADE_OF = {"total": {"inputFields": [{"namespace": "shop", "name": "orders", "field": "id"}]}}
PLAN = {"spark.logicalPlan": facet(plan=["scan"])}


def run(number: int) -> list[dict[str, object]]:
    read = [dataset("orders", namespace="shop", fields=COLUMNS)]
    made = [dataset("sums", namespace="shop", fields=COLUMNS, facets={"columnLineage": facet(fields=MADE_OF)})]
    run_id = f"0190a0a0-0000-7000-8000-0000000000{number:02}"
    return [
        run_event(kind, run_id=run_id, time=TIME + timedelta(minutes=number), facets=PLAN, inputs=read, outputs=made)
        for kind in ("START", "COMPLETE")
    ]


def test_it_tells_what_events_repeat_from_what_is_stored(database: Store) -> None:
    take_in(database, [event for number in range(10) for event in run(number)])
    facets, lineage = store_size(database).stored_once
    views = ("run_facets", "job_facets", "dataset_facets")
    shown = sum(len(rows(database, f"SELECT FROM {view}")) for view in views)
    assert (facets.content, facets.shown_rows) == ("facets", shown)
    assert facets.stored_rows == len(rows(database, "SELECT FROM facets")) < facets.shown_rows / 10
    assert facets.stored_bytes < facets.shown_bytes / 5
    assert (lineage.content, lineage.shown_rows) == (
        "column lineage",
        len(rows(database, "SELECT FROM column_lineage")),
    )
    assert lineage.stored_rows == lineage.shown_rows + len(rows(database, "SELECT FROM column_lineage_pairs"))


def test_it_lists_the_tables_the_largest_first(database: Store) -> None:
    take_in(database, run(1))
    with database.connect(autocommit=True) as connection:
        connection.execute("ANALYZE")
    size = store_size(database)
    sizes = [table.table_bytes + table.index_bytes for table in size.tables]
    assert sizes == sorted(sizes, reverse=True)
    assert sum(sizes) < size.database_bytes
    assert {table.table: table.rows for table in size.tables}.items() >= {"lineage_events": 2, "runs": 1}.items()


def test_an_empty_store_has_a_size(database: Store) -> None:
    assert [once.shown_rows for once in store_size(database).stored_once] == [0, 0]
