"""Stores as no page was made for: names of 2,000 characters, a job of 2,000 inputs, 100,000 runs. Each page answers, is
bounded, and shows text as text."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lineage_core.pages.page import all_pages
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

WAREHOUSE = "postgres://warehouse:5432"
INPUTS = 2_000
RUNS = 100_000
MOST_BYTES = 3_000_000

LONG = "x" * 1_990 + "-the-end.."
RIGHT_TO_LEFT = "\u05d3\u05d5\u05d7 \u0645\u0628\u064a\u0639\u0627\u062a"
TURNED = "invoice\u202efdp.exe\u2066\u200f"
COMBINING = "Z" + "\u0351\u036b\u0353\u036a\u0302" * 40 + "algo"
ODD = (LONG, RIGHT_TO_LEFT, TURNED, COMBINING)


def address(page: str) -> str:
    return next(one.address for one in all_pages() if one.name == page)


def shown(asking: TestClient, page: str, **asked: Any) -> str:
    """The page, which is no larger than one should be, and comes before the time limit of its statements."""
    answer = asking.get(address(page), params=asked)
    assert (page, asked, answer.status_code) == (page, asked, 200)
    assert (page, len(answer.content) < MOST_BYTES) == (page, True)
    return answer.text


def test_a_job_of_2000_inputs_is_shown_in_parts(database: Store) -> None:
    inputs = [dataset(f"input {n:04}", WAREHOUSE, fields=[("id", "INT")]) for n in range(INPUTS)]
    run = "0190a0a0-0000-7000-8000-000000000001"
    described: dict[str, Any] = {"run_id": run, "job": named_job("wide"), "outputs": [dataset("made", WAREHOUSE)]}
    take_in(database, [run_event("COMPLETE", inputs=inputs, **described)])
    asking = client(database)
    assert "There are more datasets than the 100 shown" in shown(asking, "jobs", namespace="shop", name="wide")
    assert "There are more versions than the 100 shown" in shown(asking, "runs", run=run)
    of_job = {"kind": "job", "namespace": "shop", "name": "wide"}
    assert "There is more than the 300 nodes shown" in shown(asking, "graph", **of_job)
    whole = asking.get("/api/graph", params=of_job | {"limit": 5_000}).json()
    assert whole["complete"]
    assert len(whole["nodes"]) == INPUTS + 2
    shown(asking, "graph", **of_job, limit=5_000)
    shown(asking, "search", q="input")
    shown(asking, "explain", run=run)
    shown(asking, "affected", run=run)
    shown(asking, "impact", namespace=WAREHOUSE, name="input 0001", drop="id")


def test_names_that_are_long_turned_or_piled_up_are_text_on_every_page(database: Store) -> None:
    take_in(
        database,
        [
            run_event(
                "COMPLETE",
                run_id=f"0190a0a0-0000-7000-8000-{number:012}",
                job=named_job(f"{name} job", "shop"),
                outputs=[dataset(name, WAREHOUSE, fields=[(name[:200], "INT")])],
            )
            for number, name in enumerate(ODD)
        ],
    )
    asking = client(database)
    for name in ODD:
        job = {"namespace": "shop", "name": f"{name} job"}
        named = {"namespace": WAREHOUSE, "name": name}
        for page, asked in (
            ("datasets", named),
            ("jobs", job),
            ("graph", named),
            ("graph", job | {"kind": "job"}),
            ("graph", named | {"kind": "column", "column": name[:200]}),
            ("impact", named | {"drop": name[:200]}),
            ("search", {"q": name[:400]}),
            ("dags", {"dag": f"{name} job"}),
        ):
            text = html.unescape(shown(asking, page, **asked))
            assert_text(name, text)
    for page in ("overview", "datasets", "jobs", "runs", "search"):
        shown(asking, page, **({"q": "e"} if page == "search" else {}))


def assert_text(name: str, page: str) -> None:
    """Letters of every script stand as they are. What turns or hides others is an escape, and does neither."""
    body = page.partition("<main")[2].partition("application/json")[0]
    if name in (RIGHT_TO_LEFT, COMBINING):
        assert name[:200] in body
    if name == TURNED:
        without_fields = "".join(part.partition('"')[2] for part in body.split('value="'))
        assert "\\u202e" in without_fields
        assert "\u202e" not in without_fields


@pytest.fixture
def crowded(database: Store) -> Iterator[Store]:
    """One job with 100,000 runs, all started by one, as a loop that never rests would have them."""
    take_in(database, [run_event("COMPLETE", job=named_job("busy"), outputs=[dataset("made", WAREHOUSE)])])
    with database.connect() as connection:
        connection.execute(
            """
            INSERT INTO runs (
                uuid, created_at, updated_at, current_run_state, namespace_name, job_name, transitioned_at, started_at,
                ended_at, job_uuid, job_version_uuid, parent_run_uuid
            )
            SELECT
                ('0190a0a1-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
                known.created_at + number * interval '1 second',
                known.updated_at,
                CASE number %% 100 WHEN 7 THEN 'FAILED' ELSE 'COMPLETED' END,
                known.namespace_name,
                known.job_name,
                known.transitioned_at + number * interval '1 second',
                known.started_at + number * interval '1 second',
                known.started_at + (number + number %% 13) * interval '1 second',
                known.job_uuid,
                known.job_version_uuid,
                known.uuid
            FROM runs AS known, generate_series(1, %s) AS number
            """,
            [RUNS],
        )
        connection.commit()
        connection.autocommit = True
        connection.execute("VACUUM ANALYZE runs")
    yield database


def test_a_job_of_100000_runs_is_shown_by_its_last_ones(crowded: Store) -> None:
    asking = client(crowded)
    job = {"namespace": "shop", "name": "busy"}
    assert "There are more runs than the 50 shown" in shown(asking, "jobs", **job)
    first = "0190a0a0-0000-7000-8000-000000000001"
    assert "There are more runs than the 300 shown" in shown(asking, "runs", run=first)
    last = f"0190a0a1-0000-7000-8000-{RUNS:012x}"
    assert first in shown(asking, "runs", run=last)
    failed = f"0190a0a1-0000-7000-8000-{RUNS - 93:012x}"
    assert asking.get("/api/runs", params={"run": failed}).json()["run"]["state"] == "FAILED"
    for page, asked in (
        ("overview", {}),
        ("runs", {}),
        ("jobs", {}),
        ("explain", {}),
        ("explain", {"run": failed}),
        ("affected", {"run": first}),
        ("graph", job | {"kind": "job"}),
        ("dags", {"dag": "busy", "run": "manual"}),
        ("health", {}),
    ):
        shown(asking, page, **asked)
    seen = set()
    after = None
    for _ in range(3):
        found = asking.get("/api/runs", params={"limit": 1_000} | ({"after": after} if after else {})).json()
        seen |= {one["run"] for one in found["runs"]}
        after = found["next"]
    assert len(seen) == 3_000
