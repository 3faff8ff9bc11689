"""What a DAG run asks of the normalization job."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from lineage_core.airflow.job_arguments import Interval, job_arguments, migration_arguments
from lineage_core.errors import WrongUsage

INTERVAL = Interval(datetime(2026, 11, 20, 6, tzinfo=UTC), datetime(2026, 11, 20, 7, tzinfo=UTC))
OF_INTERVAL = ["--from", "2026-11-20T06:00:00+00:00", "--to", "2026-11-20T07:00:00+00:00"]


def _params(**stated: Any) -> dict[str, Any]:
    return {"from": None, "to": None, "namespaces": [], "slice_bytes": None} | stated


@pytest.mark.parametrize("run_type", ["scheduled", "manual"])
def test_a_run_takes_what_has_arrived_unless_its_form_says_else(run_type: str) -> None:
    assert job_arguments(run_type, INTERVAL, _params()) == []


def test_a_backfill_takes_the_events_of_its_interval() -> None:
    assert job_arguments("backfill", INTERVAL, _params()) == OF_INTERVAL
    assert job_arguments("backfill", INTERVAL, {}) == OF_INTERVAL


def test_a_manual_run_takes_the_span_of_its_form() -> None:
    stated = {"from": "2026-11-20T06:00:00Z", "to": "2026-11-20T08:00:00+01:00"}
    assert job_arguments("manual", None, _params(**stated)) == [
        "--from",
        "2026-11-20T06:00:00+00:00",
        "--to",
        "2026-11-20T08:00:00+01:00",
    ]


@pytest.mark.parametrize("end", ["from", "to"])
def test_a_span_may_be_open_at_one_end(end: str) -> None:
    stated = {end: "9999-12-31T23:59:59.999999Z"}
    assert job_arguments("manual", None, _params(**stated)) == [f"--{end}", "9999-12-31T23:59:59.999999+00:00"]


def test_a_time_without_a_zone_is_in_utc() -> None:
    assert job_arguments("manual", None, _params(to="2026-11-20")) == ["--to", "2026-11-20T00:00:00+00:00"]


@pytest.mark.parametrize(
    ("run_type", "stated", "why"),
    [
        ("manual", {"from": "2026-11-20T07:00:00Z", "to": "2026-11-20T07:00:00Z"}, "empty"),
        ("manual", {"from": "yesterday"}, "`from` 'yesterday' is no date and time"),
        ("manual", {"to": 7}, "`to` 7 is no date and time"),
        ("manual", {"mode": "by event time"}, "The form has no 'mode'; it has from, to, namespaces, slice_bytes"),
        ("backfill", {"from": "2026-11-20T07:00:00Z"}, "A backfill takes the interval of each of its runs"),
    ],
)
def test_a_form_that_contradicts_itself_or_its_run_is_refused(run_type: str, stated: dict[str, Any], why: str) -> None:
    with pytest.raises(WrongUsage, match=why):
        job_arguments(run_type, INTERVAL, _params(**stated))


def test_a_backfill_may_be_of_some_namespaces() -> None:
    arguments = job_arguments("backfill", INTERVAL, _params(namespaces=["a b", "c"]))
    assert arguments == [*OF_INTERVAL, "--namespace", "a b", "--namespace", "c"]


@pytest.mark.parametrize("run_type", ["scheduled", "manual"])
def test_what_arrives_is_not_chosen_by_namespace(run_type: str) -> None:
    with pytest.raises(WrongUsage, match="as a whole"):
        job_arguments(run_type, INTERVAL, _params(namespaces=["a"]))


@pytest.mark.parametrize("run_type", ["scheduled", "manual", "backfill"])
def test_the_size_of_slices_holds_for_every_run(run_type: str) -> None:
    assert job_arguments(run_type, INTERVAL, _params(slice_bytes=2**20))[-2:] == ["--slice-bytes", "1048576"]


@pytest.mark.parametrize("run_type", ["manual", "backfill"])
def test_a_replay_takes_its_interval_unless_its_form_says_else(run_type: str) -> None:
    assert job_arguments(run_type, INTERVAL, _params(), is_replay=True) == OF_INTERVAL
    chosen = job_arguments(run_type, INTERVAL, _params(namespaces=["a"]), is_replay=True)
    assert chosen == [*OF_INTERVAL, "--namespace", "a"]


def test_a_replay_by_hand_takes_the_span_of_its_form() -> None:
    assert job_arguments("manual", INTERVAL, _params(to="2026-11-20"), is_replay=True) == [
        "--to",
        "2026-11-20T00:00:00+00:00",
    ]


def test_fields_that_a_form_leaves_empty_ask_for_nothing() -> None:
    assert job_arguments("manual", None, {"from": None, "to": None, "namespaces": None, "slice_bytes": None}) == []
    assert migration_arguments({"command": "run", "setting": None, "value": None, "workers": None}) == [
        "run",
        "--workers",
        "2",
    ]


def test_a_replay_without_a_span_and_a_date_is_refused() -> None:
    with pytest.raises(WrongUsage, match=r"no logical date.*give `from`, `to` or both"):
        job_arguments("manual", None, _params(), is_replay=True)
