"""Which version of a job is current, and since when, whatever the order in which a slice brings its moments."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, run_event
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

CURRENT = """
    SELECT DISTINCT dataset.name, mapped.made_current_at
    FROM job_versions_io_mapping AS mapped
    JOIN datasets AS dataset ON dataset.uuid = mapped.dataset_uuid
    WHERE mapped.is_current_job_version
    ORDER BY 1
"""


def ran(minute: int, *named: str, event: str = "COMPLETE", run: int | None = None) -> dict[str, Any]:
    """An event of a run of its own, if no other run is stated, which reads these datasets."""
    return run_event(
        event,
        run_id=f"0190a0a0-0000-7000-8000-{minute if run is None else run:012}",
        time=TIME + timedelta(minutes=minute),
        inputs=[dataset(name, namespace="shop") for name in named],
    )


def current_since(store: Store, minute: int, *named: str) -> None:
    since = (TIME + timedelta(minutes=minute)).replace(tzinfo=None)
    assert rows(store, CURRENT) == [(name, since) for name in named]


def test_a_version_stays_current_since_its_first_moment(database: Store) -> None:
    take_in(database, [ran(3, "orders"), ran(5, "customers"), ran(7, "orders")])
    take_in(database, [ran(9, "orders")])
    current_since(database, 7, "orders")


def test_a_moment_of_another_version_between_makes_it_current_later(database: Store) -> None:
    take_in(database, [ran(3, "orders"), ran(9, "orders")])
    take_in(database, [ran(5, "customers")])
    current_since(database, 9, "orders")


def test_a_moment_of_another_version_before_all_changes_nothing(database: Store) -> None:
    take_in(database, [ran(3, "orders"), ran(9, "orders")])
    take_in(database, [ran(1, "customers")])
    current_since(database, 3, "orders")


def test_a_late_moment_makes_it_current_earlier_as_far_as_the_version_before(database: Store) -> None:
    take_in(database, [ran(1, "orders"), ran(3, "customers"), ran(9, "orders")])
    take_in(database, [ran(2, "orders"), ran(5, "orders")])
    current_since(database, 5, "orders")


def test_a_version_that_comes_again_is_current_since_it_came_again(database: Store) -> None:
    take_in(database, [ran(1, "orders"), ran(3, "customers")])
    take_in(database, [ran(5, "orders"), ran(7, "orders")])
    current_since(database, 5, "orders")


def test_a_slice_may_bring_versions_one_after_the_other(database: Store) -> None:
    take_in(database, [ran(1, "orders")])
    take_in(
        database, [ran(3, "customers"), ran(4, "customers"), ran(5, "orders"), ran(6, "customers"), ran(7, "customers")]
    )
    current_since(database, 6, "customers")


def test_a_late_name_may_give_the_last_moment_a_version_that_was_there_before(database: Store) -> None:
    take_in(database, [ran(3, "orders"), ran(4, "customers", "orders"), ran(5, "customers"), ran(10, "orders")])
    take_in(database, [ran(2, "customers", event="START", run=10)])
    current_since(database, 10, "customers", "orders")
