"""An event whose time lies ahead of its receipt is never the newest, and its first verdict stands."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, job_event, named_job, run_event
from tests.support.stores import contents, empty, put, rows

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

BEFORE, AFTER = "2025-12-01T00:00:00Z", "2026-06-01T00:00:00Z"
"""Receipts a month ahead of the events' time, and long behind it."""

EVENTS = [
    run_event("START", outputs=[dataset("orders", fields=[("id", "INT")])]),
    run_event("COMPLETE", time=TIME + timedelta(hours=1), outputs=[dataset("orders", fields=[("id", "INT")])]),
]


def arrive(store: Store, events: list[Any], received_at: str) -> None:
    put(store, events, received_at)
    normalize(store, SerialRunner(2))


@pytest.mark.parametrize(("first", "second"), [(BEFORE, AFTER), (AFTER, BEFORE)])
def test_an_event_that_comes_again_with_another_verdict_changes_nothing(
    first: str, second: str, database: Store
) -> None:
    arrive(database, EVENTS, first)
    before = contents(database)
    arrive(database, EVENTS, second)
    assert contents(database) == before


@pytest.mark.parametrize(("first", "second"), [(BEFORE, AFTER), (AFTER, BEFORE)])
def test_a_copy_that_was_staged_before_the_first_was_merged_keeps_its_verdict(
    first: str, second: str, database: Store
) -> None:
    arrive(database, EVENTS, first)
    wanted = contents(database)
    empty(database)
    put(database, EVENTS, first)
    put(database, EVENTS, second)
    assert normalize(database, SerialRunner(), slice_bytes=900).slices > 1
    assert contents(database) == wanted


def test_of_copies_in_one_slice_the_one_that_is_not_ahead_counts(database: Store) -> None:
    put(database, EVENTS, BEFORE)
    put(database, EVENTS, AFTER)
    normalize(database, SerialRunner(2))
    mixed = contents(database)
    assert rows(database, "SELECT DISTINCT get_byte(event_order, 0) FROM event_ledger") == [(1,)]
    arrive(database, EVENTS, AFTER)
    assert contents(database) == mixed


def test_an_event_that_is_ahead_is_never_the_newest(database: Store) -> None:
    arrive(database, [run_event(job=named_job(facets={"documentation": {"description": "now"}}))], AFTER)
    future = run_event(
        time=TIME + timedelta(days=400), job=named_job(facets={"documentation": {"description": "then"}})
    )
    arrive(database, [future], AFTER)
    assert rows(database, "SELECT description FROM jobs") == [("now",)]


def test_a_job_event_behind_a_run_leaves_the_latest_run_of_their_version(database: Store) -> None:
    arrive(database, [run_event("COMPLETE"), job_event(time=TIME + timedelta(hours=2))], AFTER)
    latest = rows(database, "SELECT latest_run_uuid IS NOT NULL FROM job_versions")
    assert latest == [(True,)]
