"""What events may say though it cannot be: numbers larger than Python reads, ends before begins, errors without a
message. Each page is one nevertheless, and so is each answer by other ways."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient

from lineage_core.answers.explain.explained_run import explain
from lineage_core.pages.page import all_pages
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, Document, dataset, facet, named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import RECEIVED_AT, take_in

pytestmark = pytest.mark.postgres

WAREHOUSE = "postgres://warehouse:5432"
LARGE = {
    "of an exponent": "1e400",
    "of a large exponent": "1e5000",
    "of digits": "9" * 5_000,
    "broken": f"{'9' * 400}.5",
}
"""Numbers of JSON that a float does not hold, some of more digits than Python reads."""


def uuid(number: int) -> str:
    return f"0190a0a0-0000-7000-8000-{number:012}"


def take_in_text(store: Store, event: Document, number: str) -> None:
    """An event with a number in place of each text `NUMBER`, which Python could not write."""
    text = json.dumps(event).replace('"NUMBER"', number)
    with store.connect() as connection:
        connection.execute(
            "INSERT INTO lineage_events (event_time, event, created_at) VALUES (%s, %s::jsonb, %s)",
            [event["eventTime"], text, RECEIVED_AT],
        )
    take_in(store, [])


def shown(asking: TestClient, page: str, **asked: Any) -> str:
    """The page, which is there as JSON, too."""
    address = next(one.address for one in all_pages() if one.name == page)
    as_json = asking.get(f"/api/{page}", params=asked)
    assert (page, as_json.status_code) == (page, 200)
    assert "Infinity" not in as_json.text
    answer = asking.get(address, params=asked)
    assert (page, answer.status_code) == (page, 200)
    return answer.text


def test_numbers_larger_than_python_reads_are_on_pages_as_they_came(database: Store) -> None:
    for day, (kind, number) in enumerate(LARGE.items(), 1):
        counted = {"outputStatistics": facet(rowCount="NUMBER", size=day)}
        made = dataset("sums", WAREHOUSE, output_facets=counted, facets={"own": facet(number="NUMBER")})
        described: dict[str, Any] = {"job": named_job("sum"), "time": TIME + timedelta(days=day), "outputs": [made]}
        state = "FAIL" if day == len(LARGE) else "COMPLETE"
        facets = {"own": facet(number="NUMBER", kind=kind)}
        take_in_text(database, run_event(state, run_id=uuid(day), facets=facets, **described), number)
    asking = client(database)
    for page, asked in (
        ("datasets", {"namespace": WAREHOUSE, "name": "sums"}),
        ("jobs", {"namespace": "shop", "name": "sum"}),
        *(("runs", {"run": uuid(day)}) for day in range(1, len(LARGE) + 1)),
        *(("explain", {"run": uuid(day)}) for day in range(1, len(LARGE) + 1)),
    ):
        shown(asking, page, **asked)
    assert "9" * 5_000 in shown(asking, "runs", run=uuid(3))
    assert "1 bytes" in shown(asking, "runs", run=uuid(1))
    explain(database, UUID(uuid(len(LARGE))))


def test_a_run_that_ends_before_it_begins_has_no_duration(database: Store) -> None:
    for number, ended in ((1, timedelta(hours=-5)), (2, timedelta(minutes=4))):
        began = TIME + timedelta(days=number)
        described: dict[str, Any] = {"run_id": uuid(number), "job": named_job("load")}
        take_in(database, [run_event("START", time=began, **described)])
        take_in(database, [run_event("COMPLETE", time=began + ended, **described)])
        page = shown(client(database), "jobs", namespace="shop", name="load")
        assert ("How long each run took" in page) == (number == 2)
    assert "5 h 0 min before its begin" in page
    assert "4.0 min, COMPLETED" in page
    run = " ".join(shown(client(database), "runs", run=uuid(1)).split())
    assert "COMPLETED</span> 5 h 0 min before its begin</p>" in run
    assert "a clock was wrong" in run
    assert "COMPLETED</span> in 4 min 0 s</p>" in " ".join(shown(client(database), "runs", run=uuid(2)).split())


def test_an_error_is_its_message_or_else_its_trace(database: Store) -> None:
    trace = "Traceback\n  File x\nKeyError: 'price'"
    errors: list[tuple[dict[str, Any], str | None]] = [
        ({"stackTrace": trace}, trace),
        ({"message": None, "stackTrace": trace}, trace),
        ({"message": "no price", "stackTrace": trace}, "no price"),
        ({"message": {"text": "no price"}}, None),
        ({"message": None}, None),
    ]
    for number, (members, _) in enumerate(errors):
        error = {"errorMessage": facet(programmingLanguage="PYTHON", **members)}
        take_in(database, [run_event("FAIL", run_id=uuid(number), job=named_job("load"), facets=error)])
    asking = client(database)
    for number, (_, words) in enumerate(errors):
        page = shown(asking, "runs", run=uuid(number))
        assert (number, 'class="failure">' in page) == (number, words is not None)
        assert f'class="failure">{words and words.splitlines()[0]}' in page or words is None
        causes = [cause.kind for cause in explain(database, UUID(uuid(number))).causes]
        assert (number, "error-message" in causes) == (number, words is not None)
