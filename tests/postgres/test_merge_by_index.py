"""A merge looks up what its slice touches, however much the tables hold."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, run_event
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

RUNS = 3_000
JOBS, WIDTH = 1_000, 10
COLUMNS = [("id", "INT")]
ORIGIN = {"namespace": "shop", "name": "orders", "field": "id"}
MADE_OF = {"columnLineage": facet(fields={"id": {"inputFields": [ORIGIN]}})}
COUNTED = (
    "SELECT n_tup_ins::int, (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int FROM pg_stat_user_tables"
    " WHERE schemaname = 'public' AND relname = %s"
)
READ_OF_ALL = (
    "SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int FROM pg_stat_user_tables WHERE schemaname = 'public'"
)


def event(run: int) -> dict[str, Any]:
    """All runs read one dataset: a version that very many have read."""
    return run_event(
        "COMPLETE",
        run_id=f"0190a0a0-0000-7000-8000-{run:012}",
        time=TIME + timedelta(minutes=run),
        inputs=[dataset("orders", namespace="shop", fields=COLUMNS)],
        outputs=[dataset("sums", namespace="shop", fields=COLUMNS, facets=MADE_OF)],
    )


def test_a_small_slice_reads_few_of_many_mentions(database: Store) -> None:
    take_in(database, map(event, range(RUNS)))
    with database.connect(autocommit=True) as connection:
        connection.execute("ANALYZE")
    written, before = counted(database, "dataset_mentions", at_least=2 * RUNS)
    take_in(database, [event(RUNS)])
    _, after = counted(database, "dataset_mentions", at_least=written + 2)
    assert after - before < RUNS // 10


def test_a_slice_of_many_inputs_reads_the_fields_of_these_alone(database: Store) -> None:
    """Those of each input and of each output, once. With fewer inputs the planner would look them up in any case."""
    take_in(database, map(apart, range(JOBS)))
    written, read = counted(database, "dataset_fields", at_least=2 * JOBS * WIDTH)
    assert written == 2 * JOBS * WIDTH
    assert read < 1.1 * written


def test_a_slice_of_many_outputs_reads_their_descriptions_alone(database: Store) -> None:
    """As many as the slice before, to which all that were stored were its own."""
    take_in(database, map(apart, range(JOBS)))
    with database.connect(autocommit=True) as connection:
        connection.execute("ANALYZE")
    written, before = counted(database, "dataset_column_lineages", at_least=JOBS)
    take_in(database, map(apart, range(JOBS, 2 * JOBS)))
    _, after = counted(database, "dataset_column_lineages", at_least=written + JOBS)
    assert after - before == before


@pytest.mark.parametrize("events", ["that share a dataset", "that each make a version of their job"])
def test_a_slice_of_two_runs_reads_few_rows_of_all_tables(database: Store, events: str) -> None:
    """Fewer than one table of many has: no join takes a temporary table of two rows for one of thousands."""
    made = {"that share a dataset": event, "that each make a version of their job": apart}[events]
    take_in(database, map(made, range(RUNS)))
    with database.connect(autocommit=True) as connection:
        connection.execute("ANALYZE")
    counted(database, "event_ledger", at_least=RUNS)
    before = read_of_all(database)
    take_in(database, map(made, (RUNS, RUNS + 1)))
    counted(database, "event_ledger", at_least=RUNS + 2)
    assert read_of_all(database) - before < RUNS // 3


def apart(number: int) -> dict[str, Any]:
    """Runs of one job, each with an input and an output of its own, column by column."""
    fields = [(f"column_{place}", "INT") for place in range(WIDTH)]
    origins = {
        name: {"inputFields": [{"namespace": "shop", "name": f"orders_{number}", "field": name}]} for name, _ in fields
    }
    return run_event(
        "COMPLETE",
        run_id=f"0190a0a0-0000-7000-8000-{number:012}",
        time=TIME + timedelta(minutes=number),
        inputs=[dataset(f"orders_{number}", namespace="shop", fields=fields)],
        outputs=[
            dataset(f"sums_{number}", namespace="shop", fields=fields, facets={"columnLineage": facet(fields=origins)})
        ],
    )


def counted(store: Store, table: str, at_least: int) -> tuple[int, int]:
    """How many rows were written and read, once the sessions that have written so many have reported."""
    for _ in range(100):
        ((written, read),) = rows(store, COUNTED, [table])
        if written >= at_least:
            return written, read
        time.sleep(0.1)
    raise AssertionError(f"only {written} rows of {table} were written")


def read_of_all(store: Store) -> int:
    ((read,),) = rows(store, READ_OF_ALL)
    return int(read)
