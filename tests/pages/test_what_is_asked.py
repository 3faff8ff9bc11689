"""What an address asks for is answered, refused with words, or kept in the links to what follows."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from lineage_core.command_line.results import harmless
from lineage_core.pages.rendering import times
from lineage_core.postgres.store import Store
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, dataset, facet, named_job, run_event
from tests.support.served_pages import client
from tests.support.shop import FAILED, WAREHOUSE, shop_events
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

ORDER_LINES = {"namespace": WAREHOUSE, "name": "order_lines"}


def words(page: str) -> str:
    main = re.search("<main.*?</main>", page, re.DOTALL)
    assert main
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]+>", " ", main[0])))


def links(page: str) -> dict[str, dict[str, list[str]]]:
    """What each link asks for, by its text."""
    found = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>([^<]*)</a>', page)
    return {text: parse_qs(urlsplit(html.unescape(href)).query) for href, text in found}


@pytest.fixture
def asking(database: Store) -> TestClient:
    take_in(database, shop_events())
    return client(database)


def test_what_is_not_named_whole_is_refused_with_words(asking: TestClient) -> None:
    for page in ("datasets", "jobs", "impact", "graph"):
        answer = asking.get(f"/api/{page}", params={"name": "orders"})
        assert (page, answer.status_code) == (page, 422)
        assert "look for it by /search?q=orders" in answer.json()["error"]
    column = asking.get("/api/graph", params=ORDER_LINES | {"kind": "column"})
    assert (column.status_code, "give `column`" in column.json()["error"]) == (422, True)
    for name in ("zzz", ""):
        for path in ("/streams", "/api/streams"):
            assert asking.get(path, params={"name": name}).status_code == 404
    for page in ("datasets", "jobs"):
        assert "in the namespace nope" in words(asking.get(f"/{page}", params={"namespace": "nope"}).text)


def test_links_keep_what_was_asked(asking: TestClient) -> None:
    for page, more in (("datasets", "More datasets"), ("jobs", "More jobs"), ("runs", "Earlier runs")):
        found = links(asking.get(f"/{page}", params={"limit": 2}).text)[more]
        assert (page, found["limit"], set(found)) == (page, ["2"], {"limit", "after"})
    found = links(asking.get("/search", params={"q": "o", "limit": 1, "kind": "dataset"}).text)["More names"]
    assert (found["q"], found["kind"], found["limit"]) == (["o"], ["dataset"], ["1"])
    impact: dict[str, Any] = ORDER_LINES | {"drop": "amount", "limit": 1}
    found = links(asking.get("/impact", params=impact).text)["More consumers"]
    assert (found["drop"], found["limit"]) == (["amount"], ["1"])
    asked: dict[str, Any] = ORDER_LINES | {
        "limit": 4,
        "compare": TIME.isoformat(),
        "open": ["a", "b"],
        "group": "namespace",
    }
    page = asking.get("/graph", params=asked | {"at": (TIME + timedelta(days=9)).isoformat()}).text
    shown = links(page)
    for link in ("Before the last change", "Now", "go on"):
        kept = shown[link]
        assert (link, kept["limit"], kept["open"], kept["compare"]) == (link, ["4"], ["a", "b"], [TIME.isoformat()])
    assert 'name="limit" value="4"' in page
    assert page.count('type="hidden" name="open"') == 2


def test_lineage_of_a_run_is_that_at_its_end(asking: TestClient) -> None:
    run = asking.get("/api/runs", params={"run": str(FAILED)}).json()["run"]
    at_its_end = links(asking.get("/runs", params={"run": str(FAILED)}).text)["Lineage at its end"]
    assert [datetime.fromisoformat(one) for one in at_its_end["at"]] == [datetime.fromisoformat(run["ended_at"])]
    (first, *_) = [one for one in asking.get("/api/runs").json()["runs"][::-1] if one["name"] == "load_orders"]
    of_first = links(asking.get("/runs", params={"run": first["run"]}).text)["Lineage at its end"]
    edges = asking.get("/api/graph", params={name: value[0] for name, value in of_first.items()}).json()["edges"]
    assert {one["kind"] for one in edges} == {"reads", "writes"}


def test_a_run_that_goes_on_is_asked_neither_for_its_end_nor_why(database: Store) -> None:
    run = "0190a0a0-0000-7000-8000-000000000001"
    take_in(database, [run_event("START", run_id=run, time=TIME), run_event("RUNNING", run_id=run, time=TIME)])
    asking = client(database)
    assert "at" not in links(asking.get("/runs", params={"run": run}).text)["Lineage of its job"]
    shown = words(asking.get("/explain", params={"run": run}).text)
    assert "has not ended" in shown and "end so?" not in shown
    assert "1 run was looked at" in shown


def test_columns_with_commas_and_dots_can_be_asked_for(database: Store) -> None:
    odd, plain = "a, b", "id"
    source = dataset("odd", WAREHOUSE, fields=[(odd, "INTEGER"), (plain, "INTEGER"), ("net.price", "INTEGER")])
    origin = {"namespace": WAREHOUSE, "name": "odd", "field": odd}
    lineage = facet(fields={"sum": {"inputFields": [origin]}})
    made = dataset("sums", WAREHOUSE, fields=[("sum", "INTEGER")], facets={"columnLineage": lineage})
    job = named_job("sum up")
    take_in(database, [run_event("COMPLETE", job=job, inputs=[source], outputs=[made])])
    asking = client(database)
    named = {"namespace": WAREHOUSE, "name": "odd"}

    def dropped(*columns: str) -> Any:
        return asking.get("/api/impact", params=named | {"drop": list(columns)}).raise_for_status().json()

    assert dropped(odd)["dataset"]["drop"] == [odd]
    assert dropped(odd, plain)["dataset"]["drop"] == [odd, plain]
    assert dropped("id, net.price")["dataset"]["drop"] == ["id", "net.price"]
    assert [one["verdict"] for one in dropped(odd)["impact"]["consumers"]] == ["broken"]
    form = asking.get("/impact", params=named | {"drop": [odd, plain]}).text
    assert re.findall('name="drop" value="([^"]*)"', form) == [plain, odd]
    fields = re.findall('href="([^"]*drop=[^"]*)">if it goes', asking.get("/datasets", params=named).text)
    for href in fields:
        assert asking.get(html.unescape(href).removeprefix("/lineage")).status_code == 200
    assert len(fields) == 3


def test_ages_of_policies_are_as_they_were_set(database: Store) -> None:
    for kind, age in ((PolicyKind.RAW_EVENTS, 12), (PolicyKind.RUNS, 36), (PolicyKind.VERSIONS, 24)):
        policies.set_policy(database, Policy(kind, "*", timedelta(hours=age), None))
    policies.set_policy(database, Policy(PolicyKind.ENTITIES, "*", None, None))
    shown = words(client(database).get("/retention").text)
    for written in ("12h", "36h", "1d", "never"):
        assert f"* {written}" in shown


def test_moments_in_sentences_are_in_the_readers_zone() -> None:
    shown = times("<b> until 2099-12-31 23:59:59+02:00, not 2099-13-41 00:00:00+00:00\u202e")
    in_utc = "2099-12-31 21:59:59 UTC"
    written = f'<time datetime="2099-12-31T21:59:59+00:00" title="{in_utc}">{in_utc}</time>'
    assert shown == f"&lt;b&gt; until {written}, not 2099-13-41 00:00:00+00:00" + harmless("\u202e")


def test_a_list_that_is_cut_says_so_and_a_search_does_not_lead_to_itself(database: Store) -> None:
    now = datetime.now(UTC)
    failed = [
        run_event("FAIL", run_id=f"0190a0a0-0000-7000-8000-{number:012}", time=now - timedelta(minutes=number))
        for number in range(102)
    ]
    take_in(database, failed)
    asking = client(database)
    assert "These are the last 100 of them" in words(asking.get("/explain").text)
    assert "search columns" in links(asking.get("/search", params={"q": "zzz"}).text)
    assert "search columns" not in links(asking.get("/search", params={"q": "zzz", "kind": "column"}).text)
