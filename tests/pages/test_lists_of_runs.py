"""Which runs stand first, and what a list says of each."""

from __future__ import annotations

import html
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lineage_core.postgres.store import Store
from lineage_core.testing import named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

TO_COME = datetime(9999, 12, 31, 12, tzinfo=UTC)
NO_COUNT = "No run is counted that ended within two days"


def uuid(number: int) -> str:
    return f"0190a0a0-0000-7000-8000-{number:012}"


def as_json(asking: TestClient, page: str, **asked: Any) -> Any:
    return asking.get(f"/api/{page}", params=asked).raise_for_status().json()


def failed(number: int, time: datetime) -> list[dict[str, Any]]:
    described: dict[str, Any] = {"run_id": uuid(number), "job": named_job(f"job {number}")}
    return [run_event("START", time=time, **described), run_event("FAIL", time=time, **described)]


def test_a_run_of_a_time_to_come_is_none_of_the_last_ones(database: Store) -> None:
    now = datetime.now(UTC)
    take_in(database, [*failed(1, now - timedelta(hours=2)), *failed(2, TO_COME), *failed(3, now - timedelta(hours=1))])
    asking = client(database)
    last = [uuid(3), uuid(1)]
    assert [one["run"] for one in as_json(asking, "overview")["runs"]] == last
    assert [one["run"] for one in as_json(asking, "explain")["failed"]] == last
    found = as_json(asking, "runs")
    assert ([one["run"] for one in found["runs"]], found["later"]) == (last, True)
    assert "runs of a time to come" in asking.get("/runs").text
    everything = as_json(asking, "runs", before="9999-12-31T23:59:59.999999+00:00")
    assert ([one["run"] for one in everything["runs"]], everything["later"]) == ([uuid(2), *last], False)
    assert as_json(asking, "runs", run=uuid(2))["run"]["state"] == "FAILED"


def test_hours_end_now_and_each_has_a_bar(database: Store) -> None:
    asking = client(database)
    assert NO_COUNT in asking.get("/").text
    now = datetime.now(UTC)
    rows(database, "UPDATE refreshed_views SET refreshed_at = refreshed_at - interval '61 minutes' RETURNING 1")
    counted = [(1, now - timedelta(hours=3)), (2, TO_COME), (3, now - timedelta(hours=60))]
    take_in(database, [event for number, time in counted for event in failed(number, time)])
    hours = as_json(asking, "overview")["hours"]
    times = [datetime.fromisoformat(one["hour"]) for one in hours]
    assert {later - earlier for earlier, later in pairwise(times)} == {timedelta(hours=1)}
    assert (len(hours), times[-1] <= now < times[-1] + timedelta(hours=2)) == (48, True)
    assert [one["fail"] for one in hours if one["fail"]] == [1]
    page = html.unescape(asking.get("/").text)
    assert NO_COUNT not in page
    assert page.count("<rect") == len(hours)


def test_a_run_without_a_start_has_the_time_of_its_end_and_an_aborted_one_asks_why(database: Store) -> None:
    ended = datetime(2026, 1, 1, 7, 8, 9, tzinfo=UTC)
    described: dict[str, Any] = {"run_id": uuid(1), "job": named_job("parent")}
    take_in(database, [run_event("ABORT", time=ended, **described)])
    asking = client(database)
    for address in ("/", "/runs", "/explain", f"/search?q={uuid(1)}", "/jobs?namespace=shop&name=parent"):
        page = asking.get(address).text
        assert '<span class="note">ended</span> <time datetime="2026-01-01T07:08:09+00:00"' in page
        assert f'run={uuid(1)}">why?</a>' in page
