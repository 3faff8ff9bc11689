"""What `airflow dags backfill` asks of Airflow's own backfill, what it shows while it waits, and how it ends.

Its runs are made and done in a real Airflow in tests/airflow.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.models.backfill import ReprocessBehavior

from lineage_core.airflow import backfill_command
from lineage_core.airflow.provider import _backfill

DAY = datetime(2026, 11, 17, tzinfo=UTC)
END_OF_DAY = DAY.replace(hour=23, minute=59, second=59, microsecond=999_999)
Look = tuple[dict[str, int], dict[str, int]]


def arguments(*words: str, dag: str = "replay_lineage") -> Namespace:
    """As Airflow's own parser makes them of the declared arguments."""
    parser = ArgumentParser()
    for argument in _backfill().args:
        argument.add_to_parser(parser)
    return parser.parse_args([*words, dag])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What Airflow is asked for; no one waits."""
    found = list[dict[str, Any]]()

    def create(**words: Any) -> SimpleNamespace:
        found.append(words)
        return SimpleNamespace(id=1)

    monkeypatch.setattr(backfill_command, "_create_backfill", create)
    monkeypatch.setattr(backfill_command, "_do_dry_run", lambda **_: [SimpleNamespace(logical_date=DAY)])
    monkeypatch.setattr(backfill_command, "_refuse_paused", lambda _dag: None)
    monkeypatch.setattr(backfill_command, "_wait", lambda _number: None)
    return found


def run(*words: str, dag: str = "replay_lineage") -> None:
    backfill_command.backfill.__wrapped__.__wrapped__(arguments(*words, dag=dag))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ((), {"reprocess_behavior": ReprocessBehavior.NONE, "reverse": False, "max_active_runs": 1}),
        (("--rerun-failed-tasks",), {"reprocess_behavior": ReprocessBehavior.FAILED}),
        (("--reset-dagruns", "--rerun-failed-tasks"), {"reprocess_behavior": ReprocessBehavior.COMPLETED}),
        (("--run-backwards",), {"reverse": True}),
        (("--conf", '{"namespaces": ["shop"]}'), {"dag_run_conf": {"namespaces": ["shop"]}}),
        (("--max-active-runs", "3"), {"max_active_runs": 3}),
        (("--continue-on-failures", "--yes"), {"dag_id": "replay_lineage", "dag_run_conf": None}),
    ],
)
def test_options_are_what_airflow_is_asked_for(
    asked: list[dict[str, Any]], words: tuple[str, ...], expected: dict[str, Any]
) -> None:
    run("-s", "2026-11-17", "-e", "2026-11-18", *words)
    (found,) = asked
    assert (found["from_date"], found["to_date"]) == (DAY, END_OF_DAY.replace(day=18))
    assert {name: found[name] for name in expected} == expected


def test_one_date_is_both(asked: list[dict[str, Any]]) -> None:
    run("-e", "2026-11-17")
    run("-s", "2026-11-17")
    assert [(one["from_date"], one["to_date"]) for one in asked] == [(DAY, END_OF_DAY)] * 2


def test_the_last_date_is_a_whole_day_and_a_point_in_time_is_one(asked: list[dict[str, Any]]) -> None:
    """Of a DAG that runs every ten minutes, all runs of the last day are meant."""
    run("-s", "2026-11-16", "-e", "2026-11-17")
    run("-s", "2026-11-16", "-e", "2026-11-17T06:00:00+01:00")
    assert asked[0]["to_date"] == END_OF_DAY
    assert asked[1]["to_date"] == DAY.replace(hour=5)


@pytest.mark.parametrize(
    ("dag", "why"),
    [
        ("normalize_lineage", "these dates are 4,320 runs; `replay_lineage` does the same with a run a day"),
        ("another", "these dates are 4,320 runs; give fewer days, or --yes"),
    ],
)
def test_thousands_of_runs_are_not_started_unless_that_is_meant(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, dag: str, why: str
) -> None:
    monkeypatch.setattr(backfill_command, "_do_dry_run", lambda **_: [SimpleNamespace(logical_date=DAY)] * 4_320)
    with pytest.raises(SystemExit, match=f"^{dag} is not backfilled: {why}"):
        run("-s", "2026-10-01", "-e", "2026-10-30", dag=dag)
    assert asked == []
    run("-s", "2026-10-01", "-e", "2026-10-30", "--yes", dag=dag)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "give --start-date, --end-date or both"),
        (("-s", "2026-11-17", "--conf", "{"), "--conf is no JSON: "),
        (("-s", "2026-11-17", "--conf", "[]"), "--conf is no JSON object"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: list[dict[str, Any]], words: tuple[str, ...], why: str) -> None:
    with pytest.raises(SystemExit, match=f"^replay_lineage is not backfilled: {why}"):
        run(*words)
    assert asked == []


def test_a_dry_run_shows_dates_and_makes_nothing(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(backfill_command, "_do_dry_run", lambda **_: [SimpleNamespace(logical_date=DAY)])
    run("-s", "2026-11-17", "--dry-run")
    assert (asked, capsys.readouterr().out) == ([], "2026-11-17 00:00:00+00:00\n")


def waited(monkeypatch: pytest.MonkeyPatch, *looks: Look) -> None:
    left: Iterator[Look] = iter(looks)

    def states(_number: int) -> tuple[Counter[str], Counter[str]]:
        found, left_out = next(left)
        return Counter(found), Counter(left_out)

    monkeypatch.setattr(backfill_command, "_states", states)
    monkeypatch.setattr(backfill_command, "LOOK_SECONDS", 0)
    backfill_command._wait(1)
    assert list(left) == []


def test_it_waits_for_all_runs_and_shows_what_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waited(
        monkeypatch,
        ({"queued": 2}, {"already exists": 1}),
        ({"queued": 2}, {"already exists": 1}),
        ({"running": 1, "success": 1}, {"already exists": 1}),
        ({"success": 2}, {"already exists": 1}),
    )
    assert capsys.readouterr().out.splitlines() == [
        "0 of 2 runs ended, 2 queued, 1 left out (already exists)",
        "1 of 2 runs ended, 1 running, 1 left out (already exists)",
        "2 of 2 runs ended, 1 left out (already exists)",
    ]


@pytest.mark.parametrize(
    ("states", "left_out", "why"),
    [
        ({"failed": 1, "success": 1}, {}, "1 runs failed, 0 were at work already"),
        ({"success": 1}, {"in flight": 1}, "0 runs failed, 1 were at work already"),
    ],
)
def test_what_failed_or_was_at_work_already_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, states: dict[str, int], left_out: dict[str, int], why: str
) -> None:
    with pytest.raises(SystemExit, match=f"^{why}"):
        waited(monkeypatch, (states, left_out))


def test_runs_that_somebody_deletes_are_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="2 runs of backfill 1 were deleted before anybody saw their end"):
        waited(monkeypatch, ({"queued": 2}, {}), ({}, {}))


def test_an_interrupt_leaves_the_backfill_as_it_is(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_number: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(backfill_command, "_wait", interrupted)
    with pytest.raises(SystemExit, match="This command no longer waits; backfill 1 goes on"):
        run("-s", "2026-11-17")
    assert len(asked) == 1
