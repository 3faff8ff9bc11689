"""Pages lead to what they name: jobs and datasets, the evidence of a cause, the task in Airflow, and the source."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest

from lineage_core.openlineage.json_limits import DEEPEST_NESTING
from lineage_core.pages.outside import is_web_address, task_in_airflow
from lineage_core.postgres.store import Store
from lineage_core.testing import TIME, dataset, facet, named_job, parent, run_event
from tests.pages.test_run_pages import uuid
from tests.support.explained_runs import SUMMED, week
from tests.support.served_pages import client
from tests.support.shop import FAILED, WAREHOUSE, shop_events
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

LOG = "http://airflow.example/dags/nightly/runs/manual/tasks/load?try_number=1"


def test_the_task_in_airflow_and_the_source_are_links_where_they_are_addresses(database: Store) -> None:
    source = "https://git.example/jobs/load.py"
    for number, (log, place) in enumerate(((LOG, source), ("javascript:alert(1)", "javascript:alert(2)"))):
        job = named_job(f"load {number}", facets={"sourceCodeLocation": facet(type="git", url=place)})
        facets = {"airflow": facet(taskInstance={"log_url": log, "try_number": 1})}
        take_in(database, [run_event("COMPLETE", run_id=uuid(number), job=job, facets=facets)])
    asking = client(database)
    run, job_page = (
        asking.get("/runs", params={"run": uuid(0)}).text,
        asking.get("/jobs", params={"namespace": "shop", "name": "load 0"}).text,
    )
    assert f'<a href="{LOG}" rel="noreferrer">Its task in Airflow, with the log</a>' in run
    for page in (run, job_page):
        assert f'<a class="name" href="{source}" rel="noreferrer">{source}</a>' in page
    for page in (
        asking.get("/runs", params={"run": uuid(1)}).text,
        asking.get("/jobs", params={"namespace": "shop", "name": "load 1"}).text,
    ):
        assert "javascript:alert(2)" in page
        assert re.findall('href="javascript', page) == []


@pytest.mark.parametrize("text", ["ftp://host/x", "//host", "http://", "http://[x", "http://a\nb", 5, None])
def test_what_is_no_address_of_the_web_is_no_link(text: Any) -> None:
    assert not is_web_address(text)
    assert task_in_airflow({"airflow": {"content": {"taskInstance": {"log_url": text}}}}) is None


@pytest.mark.parametrize("content", [None, [], "x", {}, {"taskInstance": 1}])
def test_a_facet_of_airflow_may_be_anything(content: Any) -> None:
    assert task_in_airflow({"airflow": {"content": content}}) is None


def test_causes_lead_to_what_they_are_about(database: Store) -> None:
    take_in(database, shop_events())
    asking = client(database)
    found = asking.get("/api/explain", params={"run": str(FAILED)}).json()
    subjects = found["evidence"]["subjects"]
    assert subjects["shop/leaderboard"] == {"kind": "job", "namespace": "shop", "name": "leaderboard"}
    about = {cause["subject"] for cause in found["causes"]}
    assert about <= subjects.keys()
    page = asking.get("/explain", params={"run": str(FAILED)}).text
    assert 'name=leaderboard" title="shop">leaderboard</a></h2>' in page
    facets = [one["id"] for cause in found["causes"] for one in cause["evidence"] if one["kind"] == "facet"]
    assert facets and {*facets} <= found["evidence"]["facets"].keys()
    assert "<summary>facet errorMessage</summary>" in page


@pytest.mark.parametrize(
    ("asked", "kind", "reads"), [({"dropped": 1}, "event", True), ({"loading": "FAIL"}, "dataset", False)]
)
def test_every_piece_of_evidence_leads_on(database: Store, asked: dict[str, Any], kind: str, reads: bool) -> None:
    """An event leads to its run."""
    events = list(week(error="no such column", **asked))
    if not reads:
        events = [one | {"inputs": []} if one["run"]["runId"] == str(SUMMED) else one for one in events]
    take_in(database, events)
    asking = client(database)
    found = asking.get("/api/explain", params={"run": str(SUMMED)}).json()
    ids = {one["id"] for cause in found["causes"] for one in cause["evidence"] if one["kind"] == kind}
    assert ids and ids == found["evidence"][f"{kind}s"].keys()
    page = html.unescape(asking.get("/explain", params={"run": str(SUMMED)}).text)
    assert f'<span class="note">{kind} ' not in page
    if kind == "event":
        runs = [one["run"] for one in found["evidence"]["events"].values()]
        assert all(f'event of <a class="name run" href="/lineage/runs?run={run}"' in page for run in runs)
    else:
        assert "etl/daily_sums usually reads it <a" in " ".join(page.split())


def test_the_tab_of_a_dag_run_has_why_its_task_failed(database: Store) -> None:
    facets = {"airflowDagRun": facet(dag={"dag_id": "nightly"}, dagRun={"run_id": "manual"})}
    events: list[dict[str, Any]] = []
    for number, name, own in ((1, "nightly", facets), (2, "nightly.load", parent(uuid(1), "nightly"))):
        error = {"errorMessage": facet(message="no number: '12,50'", programmingLanguage="python")}
        described: dict[str, Any] = {"run_id": uuid(number), "job": named_job(name)}
        events += [
            run_event("START", time=TIME, facets=own, **described),
            run_event("FAIL", time=TIME + timedelta(minutes=1), facets=own | error, **described),
        ]
    take_in(database, events)
    asking = client(database)
    asked = {"dag": "nightly", "run": "manual"}
    assert asking.get("/api/dags", params=asked).json()["explained"]["run"] == uuid(2)
    page = html.unescape(asking.get("/dags", params=asked).text)
    assert page.index("no number: '12,50'") < page.index("Its tasks")
    assert f'run={uuid(2)}">All about its failure</a>' in page
    assert "explained" in asking.get("/api/dags", params={"dag": "nightly"}).json()


def test_consumers_of_an_impact_are_links(database: Store) -> None:
    take_in(database, shop_events())
    asking = client(database)
    page = asking.get("/impact", params={"namespace": WAREHOUSE, "name": "order_lines", "drop": "amount"}).text
    assert 'namespace=shop&amp;name=leaderboard" title="shop">leaderboard</a>' in page
    assert f'name=leaders" title="{WAREHOUSE}">leaders</a>' in page


def test_each_line_of_the_overview_leads_to_what_to_do(database: Store) -> None:
    status = client(database).get("/api/overview").json()["status"]
    pages = {one["topic"]: one["page"] for one in status}
    assert pages["streams"] == "streams" and pages["quarantine"] == "quarantine"
    assert {pages[topic] for topic in ("waiting", "normalization", "arrivals", "receiver")} == {"health"}
    (streams,) = (one["line"] for one in status if one["topic"] == "streams")
    assert re.fullmatch(r"0 of \d+ streams on", streams)


def test_versions_of_a_job_have_what_they_changed(database: Store) -> None:
    take_in(database, shop_events())
    asking = client(database)
    named = {"namespace": "shop", "name": "join_orders"}
    now, first = asking.get("/api/jobs", params=named).json()["job"]["versions"]["rows"]
    assert now["came"] == [{"uses": "reads", "namespace": WAREHOUSE, "name": "discounts"}]
    assert (now["went"], now["moved"], first["came"], first["went"]) == ([], False, None, None)
    page = asking.get("/jobs", params=named).text
    assert re.search('<div>reads <a class="name dataset" [^>]*>discounts</a></div>', page)


def test_a_job_has_what_its_runs_read(database: Store) -> None:
    counted = {"inputStatistics": facet(rowCount=1234, size=5_600_000)}
    read = dataset("orders", WAREHOUSE, input_facets=counted)
    take_in(database, [run_event("COMPLETE", job=named_job("sum"), inputs=[read])])
    asking = client(database)
    named = {"namespace": "shop", "name": "sum"}
    (run,) = asking.get("/api/jobs", params=named).json()["job"]["runs"]["rows"]
    assert (run["rows_read"], run["bytes_read"], run["rows_written"]) == (1234, 5_600_000, None)
    page = asking.get("/jobs", params=named).text
    assert '<td class="number">1,234</td><td class="number">5.6 MB</td>' in page


def test_evidence_that_is_nested_as_deep_as_events_may_be_is_answered(database: Store) -> None:
    events = list(week(error="no"))
    for event in events:
        value: Any = "new" if event["run"]["runId"] == str(SUMMED) else "old"
        for _ in range(DEEPEST_NESTING - 10):
            value = {"a": value}
        event["run"].setdefault("facets", {})["settings"] = facet(v=value)
    take_in(database, events)
    asking = client(database)
    found = asking.get("/api/explain", params={"run": str(SUMMED)})
    assert found.status_code == 200
    assert "settings" in {one["name"] for one in found.json()["evidence"]["facets"].values()}
    assert asking.get("/explain", params={"run": str(SUMMED)}).status_code == 200
