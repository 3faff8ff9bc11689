"""The page of what something bad has affected says what that is: jobs, datasets, owners, and how far away each is."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

WAREHOUSE = "postgres://warehouse:5432"
STEPS: tuple[tuple[str, list[str], str], ...] = (
    ("load", [], "orders"),
    ("sum up", ["orders"], "sums"),
    ("report", ["sums"], "reports"),
)


def run_of(step: int) -> str:
    return f"0190a0a0-0000-7000-8000-{step:012}"


def chain() -> Iterator[dict[str, Any]]:
    """A run a step, each of which reads what the one before wrote; the last one aborts, and has no start."""
    for step, (name, reads, writes) in enumerate(STEPS):
        ownership = facet(owners=[{"name": f"team:{name}", "type": "OWNER"}])
        described: dict[str, Any] = {
            "run_id": run_of(step),
            "job": named_job(name) | {"facets": {"ownership": ownership}},
            "inputs": [dataset(one, WAREHOUSE) for one in reads],
            "outputs": [dataset(writes, WAREHOUSE, fields=[("id", "INTEGER")])],
        }
        began = TIME + timedelta(hours=step)
        if name != "report":
            yield run_event("START", time=began, **described)
        yield run_event("ABORT" if name == "report" else "COMPLETE", time=began + timedelta(minutes=1), **described)


def words(page: str) -> str:
    main = re.search("<main.*?</main>", page, re.DOTALL)
    assert main
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]+>", " ", main[0])))


def test_what_is_affected_has_names_owners_and_hops(database: Store) -> None:
    take_in(database, list(chain()))
    asking = client(database)
    found = asking.get("/api/affected", params={"run": run_of(0)}).json()
    assert found["runs"] == [run_of(1), run_of(2)]
    assert [(one["hops"], one["name"], one["owner"], one["state"]) for one in found["jobs"]] == [
        (1, "sum up", "team:sum up", "COMPLETED"),
        (2, "report", "team:report", "ABORTED"),
    ]
    assert [(one["hops"], one["name"], len(one["affected"])) for one in found["datasets"]][:2] == [
        (0, "orders", 1),
        (1, "sums", 1),
    ]
    page = words(asking.get("/affected", params={"run": run_of(0)}).text)
    assert f"by run {run_of(0)[-8:]} of load" in page
    assert "2 runs read what is bad, directly or by others." in page
    assert "were written by it or by these." in page
    assert f"1 {run_of(1)[-8:]} of sum up COMPLETED orders" in page
    version = next(iter(found["datasets"]))["affected"][0]
    of_version = asking.get("/affected", params={"version": version})
    assert "by version orders" in words(of_version.text)
    (first, second) = asking.get("/csv/affected", params={"run": run_of(0)}).text.splitlines()[1:]
    assert first.endswith(f",1,shop,sum up,COMPLETED,team:sum up,{WAREHOUSE},orders")
    assert second.endswith(f",2,shop,report,ABORTED,team:report,{WAREHOUSE},sums")


def test_a_cut_answer_goes_on_as_it_was_asked(database: Store) -> None:
    take_in(database, list(chain()))
    asking = client(database)
    page = asking.get("/affected", params={"run": run_of(0), "limit": 1}).text
    (go_on,) = re.findall('href="([^"]*after=[^"]*)">Go on', page)
    assert f"run={run_of(0)}" in go_on and "limit=1" in go_on
    found = asking.get("/api/affected", params={"run": run_of(0), "limit": 1, "after": run_of(1)}).json()
    assert [(one["name"], one["hops"]) for one in found["jobs"]] == [("report", None)]
