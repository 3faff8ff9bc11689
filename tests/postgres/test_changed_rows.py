"""A run says which tables it has changed, and by how many rows."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lineage_core.declare.tables import normalized_tables
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, named_job, run_event
from tests.support.row_counts import counted
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

RUN = [
    run_event(kind, job=named_job("load"), outputs=[dataset(fields=[("a", "INT")])]) for kind in ("START", "COMPLETE")
]


def test_the_first_run_adds_what_is_there(database: Store) -> None:
    changed = take_in(database, RUN).changed
    left = counted(database)
    assert set(changed) <= {table.name for table in normalized_tables()}
    for table in ("event_ledger", "dataset_mentions", "jobs", "dataset_fields", "run_states"):
        assert changed[table] >= left[table] > 0


def test_rows_of_all_slices_are_added_up(database: Store) -> None:
    later = [run_event("START", time=TIME + timedelta(hours=hour), job=named_job(f"j{hour}")) for hour in range(3)]
    assert take_in(database, later, slice_bytes=1).changed["event_ledger"] == 3


def test_what_changes_nothing_says_so(database: Store) -> None:
    take_in(database, RUN)
    again = take_in(database, RUN)
    assert again.events == len(RUN)
    assert again.changed == {}
