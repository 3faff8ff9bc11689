"""What a job version is made from, where its id does not tell."""

from __future__ import annotations

from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, run_event
from tests.support.stores import empty, rows, take_in

pytestmark = pytest.mark.postgres

FIRST = run_event(
    "COMPLETE",
    run_id="0190a0a0-0000-7000-8000-000000000001",
    inputs=[dataset("a"), dataset("b")],
    outputs=[dataset("c")],
)
SECOND = run_event(
    "COMPLETE",
    run_id="0190a0a0-0000-7000-8000-000000000002",
    time=TIME + timedelta(hours=1),
    inputs=[dataset("a")],
    outputs=[dataset("b"), dataset("c")],
)


@pytest.mark.parametrize("arrival", list(permutations([FIRST, SECOND])), ids=["in order", "backwards"])
def test_where_marquez_gives_two_versions_one_id_the_first_tells_its_datasets(arrival: Any, database: Store) -> None:
    empty(database)
    for event in arrival:
        take_in(database, [event])
    assert rows(database, "SELECT count(*) FROM job_versions") == [(1,)]
    mapped = rows(database, "SELECT io_type, name FROM job_versions_io_mapping JOIN datasets ON uuid = dataset_uuid")
    assert sorted(mapped) == [("INPUT", "a"), ("INPUT", "b"), ("OUTPUT", "c")]
