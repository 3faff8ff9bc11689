"""Facets that were kept, but could not be read: how an operator comes to see them."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from lineage_core.cli import main
from lineage_core.postgres.store import Store
from lineage_core.testing import PRODUCER, TIME, facet, named_job, run_event
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_faults_are_counted_by_facet_reason_and_producer_and_a_repeat_counts_once(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    wrong = named_job(facets={"tags": facet(tags="gold"), "documentation": facet(description=["a"])})
    events = [run_event(job=wrong, time=TIME + timedelta(minutes=minute)) for minute in (0, 1, 2)]
    events.append(run_event(job=named_job(facets={"tags": facet(tags=[{"key": 1}])})))
    take_in(database, events)
    take_in(database, events[:2])
    found = [json.loads(line) for line in run(capsys, "facets", "unreadable", "--json").splitlines()]
    assert [(one["name"], one["facets"], one["producer"]) for one in found] == [
        ("documentation", 3, PRODUCER),
        ("tags", 3, PRODUCER),
        ("tags", 1, PRODUCER),
    ]
    assert found[1] | {"producer": "", "reason": ""} == {
        "name": "tags",
        "reason": "",
        "producer": "",
        "facets": 3,
        "first_time": "2026-01-01T00:00:00+00:00",
        "last_time": "2026-01-01T00:02:00+00:00",
        "path": "$.job.facets.tags.tags",
    }
    lines = run(capsys, "facets", "unreadable").splitlines()
    assert lines[1].startswith(f"tags  {PRODUCER}  Expected `array | null`, got `str` at $.job.facets.tags.tags")
    assert lines[1].endswith("(3 times from 2026-01-01T00:00:00+00:00 to 2026-01-01T00:02:00+00:00)")
