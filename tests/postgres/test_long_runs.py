"""A merge looks at a run once for all of its events: the run of a streaming job has one each minute, for months."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from lineage_core.normalize.store import merging
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.schema_history import schema_changes
from lineage_core.reading.store import dataset_named
from lineage_core.testing import TIME, dataset, facet, run_event
from tests.support.stores import take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

EVENTS = 400
FIELDS = [("id", "INT")]
STREAMING = {"jobType": facet(processingType="STREAMING", integration="FLINK", jobType="JOB")}
MADE_OF = {
    "columnLineage": facet(fields={"id": {"inputFields": [{"namespace": "shop", "name": "orders", "field": "id"}]}})
}
ROWS_READ = """
    SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int
    FROM pg_stat_xact_user_tables
    WHERE relname = %(table)s OR %(table)s IS NULL AND schemaname = 'public'
"""


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many rows the last merge has read: of the tables of the store, and of the temporary table `run_reads`."""
    counted: dict[str, int] = {}
    run = merging._run

    def counting(connection: Connection, step: str, schema: str, accepted: list[int]) -> None:
        run(connection, step, schema, accepted)
        for name, table in (("the store", None), ("run_reads", "run_reads")):
            ((counted[name],),) = connection.execute(ROWS_READ, {"table": table}).fetchall()

    monkeypatch.setattr(merging, "_run", counting)
    return counted


def test_a_slice_reads_few_rows_for_each_event_of_a_streaming_run(database: Store, read: dict[str, int]) -> None:
    take_in(database, minutes(range(EVENTS)))
    take_in(database, minutes(range(EVENTS, 2 * EVENTS)))
    assert read["the store"] < 60 * 2 * EVENTS


def test_what_a_streaming_run_reads_meets_its_outputs_once(database: Store, read: dict[str, int]) -> None:
    """Each of the versions that it has read, with the first description of columns behind it, and not with all."""
    take_in(database, minutes(range(EVENTS)))
    assert EVENTS <= read["run_reads"] <= 3 * EVENTS


def test_a_column_that_it_reads_of_many_versions_is_listed_once(database: Store) -> None:
    take_in(database, minutes(range(EVENTS)))
    with dataset_named(database, "shop", "orders") as orders:
        assert [(read.job, read.column) for read in orders.read_columns()] == [("shop/streaming", ["id"])]
        (change,) = schema_changes(orders, 100)
        assert (change.number, change.judgement.verdict) == (1, "first")
        assert orders.unchanged_schemas().versions == EVENTS - 1


def minutes(numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Each minute a run writes `orders`, and the run of a streaming job, which reads them, has an event."""
    for number in numbers:
        time = TIME + timedelta(minutes=number)
        orders = dataset("orders", namespace="shop", fields=FIELDS)
        writer = f"0190a0a0-0000-7000-8000-{number + 1_000:012}"
        yield run_event("COMPLETE", run_id=writer, time=time - timedelta(seconds=30), outputs=[orders])
        streamed = run_event(
            "RUNNING",
            time=time,
            inputs=[orders],
            outputs=[dataset("sums", namespace="shop", fields=FIELDS, facets=MADE_OF)],
        )
        yield {**streamed, "job": {**streamed["job"], "name": "streaming", "facets": STREAMING}}
