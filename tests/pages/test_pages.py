"""Each page of a store with a pipeline in it: what people read there, and what programs get at the same address."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient

from lineage_core.answers.search import search as searching
from lineage_core.answers.search.search import MOST_USES
from lineage_core.errors import WrongUsage
from lineage_core.local.ports import PAGES
from lineage_core.local.postgres import Server
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.pages.facet_tables import facet_table
from lineage_core.pages.page import all_pages
from lineage_core.pages.rendering import line_changes
from lineage_core.pages.serving import serve
from lineage_core.pages.spreadsheets import Spreadsheet
from lineage_core.postgres import reader_store
from lineage_core.postgres.reader_store import ReaderStore
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, dataset, facet, named_job, parent, run_event
from tests.support.served_pages import client
from tests.support.servers import reader_login
from tests.support.shop import CHANGED_ON, DAYS, FAILED, WAREHOUSE, moment, shop_events
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

ORDER_LINES = {"namespace": WAREHOUSE, "name": "order_lines"}

ASKED: dict[str, list[dict[str, Any]]] = {
    "overview": [{}],
    "search": [{}, {"q": "order"}, {"q": str(FAILED)}, {"q": "nothing is named so"}],
    "graph": [
        {},
        ORDER_LINES,
        ORDER_LINES | {"at": moment(2).isoformat(), "compare": moment(1).isoformat()},
        ORDER_LINES | {"kind": "column", "column": "amount"},
        {"kind": "job", "namespace": "shop", "name": "leaderboard", "depth": 1, "direction": "up"},
        ORDER_LINES | {"group": "namespace"},
    ],
    "datasets": [{}, {"namespace": WAREHOUSE}, ORDER_LINES],
    "jobs": [{}, {"namespace": "shop", "name": "leaderboard"}],
    "runs": [{}, {"run": str(FAILED)}],
    "dags": [{"dag": "leaderboard"}, {"dag": "leaderboard", "run": "manual"}],
    "explain": [{}, {"run": str(FAILED)}],
    "affected": [{}, {"run": str(FAILED)}],
    "impact": [{}, ORDER_LINES, ORDER_LINES | {"drop": "amount"}],
    "quarantine": [{}, {"document": 1}],
    "retention": [{}],
    "migrations": [{}],
    "streams": [{}, {"name": "job_edges"}],
    "health": [{}],
    "acts": [{}, {"limit": 1}],
}
EVERY_ADDRESS = [(page, asked) for page, all_asked in ASKED.items() for asked in all_asked]

HOSTILE = "<script>alert(1)</script>\u202e\"'><img src=x onerror=alert(2)>" + "x" * 500


@pytest.fixture
def filled(database: Store) -> Store:
    no_event = run_event() | {"run": {}}
    take_in(database, [no_event, *shop_events()])
    return database


def address(page: str) -> str:
    return next(one.address for one in all_pages() if one.name == page)


def as_json(asking: TestClient, page: str, **asked: Any) -> Any:
    return asking.get(f"/api/{page}", params=asked).raise_for_status().json()


def test_every_page_is_asked_here() -> None:
    assert set(ASKED) == {page.name for page in all_pages()}


def test_every_page_is_a_page_and_the_same_is_json(filled: Store, postgres_server: Server) -> None:
    """By a login that may do nothing but read."""
    asking = client(reader_login(postgres_server, filled))
    for page, asked in EVERY_ADDRESS:
        shown = asking.get(address(page), params=asked)
        assert (page, asked, shown.status_code) == (page, asked, 200)
        assert shown.headers["content-type"] == "text/html; charset=utf-8"
        assert "<main" in shown.text
        negotiated = asking.get(address(page), params=asked, headers={"Accept": "application/json"})
        below_api = asking.get(f"/api/{page}", params=asked)
        assert negotiated.headers["content-type"] == below_api.headers["content-type"] == "application/json"
        assert set(negotiated.json()) == set(below_api.json())


def test_each_answer_of_an_empty_store_says_what_to_do(database: Store) -> None:
    asking = client(database)
    assert "lineage ingest" in asking.get("/").text
    for page in ("datasets", "jobs", "runs", "quarantine", "retention", "migrations", "acts"):
        assert 'class="empty"' in asking.get(address(page)).text


def test_what_needs_somebody_to_act_is_named_with_what_to_do(filled: Store) -> None:
    asking = client(filled)
    overview = asking.get("/").text
    assert f'href="{PAGES}/health"' in overview
    assert f'<dt><a href="{PAGES}/quarantine">' in overview
    found = as_json(asking, "health")
    assert found["checks"] > len(found["findings"])
    (quarantined,) = (one for one in found["findings"] if one["check"] == "quarantined")
    assert quarantined["needs_person"]
    shown = html.unescape(asking.get("/health").text)
    assert "1 document is in quarantine" in shown
    assert quarantined["advice"] in shown


def test_a_dataset_has_its_fields_users_schemas_and_versions(filled: Store) -> None:
    found = as_json(client(filled), "datasets", **ORDER_LINES)["dataset"]
    assert [(field["name"], field["type"]) for field in found["fields"]] == [("id", "INTEGER"), ("amount", "VARCHAR")]
    assert [(one["uses"], one["name"], one["state"]) for one in found["users"]["rows"]] == [
        ("reads", "leaderboard", "FAILED"),
        ("writes", "join_orders", "COMPLETED"),
    ]
    assert [(one["number"], one["verdict"]) for one in found["schemas"]["rows"]] == [(4, "refused"), (1, "first")]
    assert found["unchanged"] == {"versions": 3, "last_from": found["versions"]["rows"][0]["made_at"]}
    assert len(found["versions"]["rows"]) == DAYS


def test_a_job_has_what_it_reads_and_writes_though_its_last_run_failed(filled: Store) -> None:
    found = as_json(client(filled), "jobs", namespace="shop", name="leaderboard")["job"]
    assert [(one["uses"], one["name"]) for one in found["datasets"]["rows"]] == [
        ("reads", "order_lines"),
        ("writes", "leaders"),
    ]
    assert [one["state"] for one in found["runs"]["rows"]] == ["FAILED"] + ["COMPLETED"] * (DAYS - 1)


def test_a_failed_run_has_its_error_and_leads_to_the_cause(filled: Store) -> None:
    asking = client(filled)
    assert "ValueError: no number" in html.unescape(asking.get("/runs", params={"run": str(FAILED)}).text)
    assert [one["run"] for one in as_json(asking, "explain")["failed"]] == [str(FAILED)]
    causes = as_json(asking, "explain", run=str(FAILED))["causes"]
    assert "error-message" in [cause["kind"] for cause in causes]
    beside = as_json(asking, "explain", run=str(FAILED))["side_by_side"]["differences"]
    assert ("run", "state", "COMPLETED", "FAILED") in {
        tuple(one[part] for part in ("topic", "what", "before", "now")) for one in beside if one["topic"] == "run"
    }
    assert "only what differs" in asking.get("/explain", params={"run": str(FAILED)}).text


def test_what_is_hit_and_what_is_affected_are_csv(filled: Store) -> None:
    asking = client(filled)
    hit = asking.get("/csv/impact", params=ORDER_LINES | {"drop": "amount"})
    assert hit.headers["content-disposition"] == 'attachment; filename="impact.csv"'
    assert hit.text.splitlines()[0] == "verdict,job,dataset,columns,hops,owner,last_read"
    assert "unknown,shop/leaderboard,postgres://warehouse:5432/leaders,,1,," in hit.text
    bad = as_json(asking, "datasets", **ORDER_LINES)["dataset"]["version"]
    affected = asking.get("/csv/affected", params={"version": bad})
    assert affected.text.splitlines() == [
        "run,version_read,hops,job_namespace,job,state,owner,dataset_namespace,dataset",
        f"{FAILED},{bad},1,shop,leaderboard,FAILED,,{WAREHOUSE},order_lines",
    ]
    part = asking.get("/csv/impact", params=ORDER_LINES | {"drop": "amount", "limit": 1})
    assert "impact-not-complete.csv" in part.headers["content-disposition"]
    assert client(filled, user_header="X-User").get("/csv/affected").status_code == 401


def test_known_facets_are_tables_and_odd_ones_are_shown_as_they_are(database: Store) -> None:
    checks = [{"assertion": "not_null", "column": "id", "success": False}]
    facets = {
        "ownership": facet(owners=[{"name": "Shop Team", "type": "OWNER"}]),
        "dataQualityAssertions": facet(assertions=checks),
        "tags": facet(tags=[{"key": ["odd"]}]),
    }
    take_in(database, [run_event("COMPLETE", outputs=[dataset("sums", WAREHOUSE, facets=facets)])])
    shown = client(database).get("/datasets", params={"namespace": WAREHOUSE, "name": "sums"}).text
    assert '<td class="name">Shop Team</td>' in shown
    assert '<td class="name broken">no</td>' in shown
    for name, content in [
        ("ownership", []),
        ("ownership", {"owners": "Ann"}),
        ("tags", {"tags": [{"key": ["odd"]}]}),
        ("dataQualityMetrics", {"columnMetrics": {"id": 1}}),
        ("unknown", {"owners": []}),
    ]:
        assert facet_table(content, name) is None
    metrics = facet_table({"rowCount": 3, "columnMetrics": {"id": {"nullCount": 1}}}, "dataQualityMetrics")
    assert metrics is not None
    assert [row[:4] for row in metrics.rows] == [("all", 3, None, None), ("id", None, None, 1)]


def test_no_cell_of_csv_is_a_formula() -> None:
    made = Spreadsheet(("=name", "when"), [("=1+1", None), (("@a", "b"), TIME), ('a "b", c', -2)], complete=True)
    assert made.text.splitlines()[1:] == ["'=1+1,", f'"\'@a, b",{TIME.isoformat()}', '"a ""b"", c",-2']


def test_what_has_a_tag_or_an_owner_is_found_by_it(database: Store) -> None:
    labels = {
        "tags": facet(tags=[{"key": "tier", "value": "gold", "source": "CONFIG"}]),
        "ownership": facet(
            owners=[{"name": "Shop Team", "type": "OWNER"}, {"name": "Shop Team", "type": "MAINTAINER"}]
        ),
    }
    made = dataset("sums", fields=[("total", "INT")], facets=labels)
    take_in(database, [run_event("COMPLETE", job=named_job("sum", facets=labels), outputs=[made])])
    asking = client(database)
    for kind, text, named in (("tag", "GOLD", "tier:gold"), ("owner", "shop", "Shop Team")):
        found = as_json(asking, "search", q=text, kind=kind)
        assert [(one["kind"], one["name"], one["named"]) for one in found["found"]] == [
            ("dataset", "sums", named),
            ("job", "sum", named),
        ]
        assert named in asking.get("/search", params={"q": text, "kind": kind}).text
        assert not as_json(asking, "search", q=text, kind=kind, limit=1)["complete"]
        assert as_json(asking, "search", q="silver", kind=kind)["found"] == []


def test_names_are_found_newest_and_most_used_first_and_the_page_says_why(database: Store) -> None:
    runs = [
        run_event("COMPLETE", run_id=f"0190a0a0-0000-7000-8000-{number:012}", job=named_job("load_b"))
        for number in range(MOST_USES + 1)
    ]
    a_day_later = TIME + timedelta(days=1)
    newer = run_event(
        "COMPLETE", run_id="0190a0a0-0000-7000-8000-0000000000ff", job=named_job("load_new"), time=a_day_later
    )
    once = run_event("COMPLETE", run_id=str(FAILED), job=named_job("load_a"))
    take_in(database, [*runs, newer, once])
    asking = client(database)
    pages = [as_json(asking, "search", q="load", kind="job", limit=2)]
    pages.append(as_json(asking, "search", q="load", kind="job", limit=2, after=pages[0]["next"]))
    assert [one["name"] for page in pages for one in page["found"]] == ["load_new", "load_b", "load_a"]
    assert [page["complete"] for page in pages] == [False, True]
    assert all(page["in_one_order"] for page in pages)
    shown = asking.get("/search", params={"q": "load", "kind": "job"}).text
    assert re.findall(r"\d+ runs?(?: or more)?", shown) == ["1 run", "20 runs or more", "1 run"]


def test_the_tables_of_the_platform_are_found_where_the_address_asks_for_them(database: Store) -> None:
    mine, own = dataset("facets_of_mine"), dataset("facets", OWN_NAMESPACE, fields=[("uuid_of_facet", "UUID")])
    take_in(database, [run_event("COMPLETE", inputs=[mine, dataset("facets_of_yours")], outputs=[own])])
    asking = client(database)

    def found(**asked: Any) -> list[str]:
        return [one["name"] for one in as_json(asking, "search", **asked)["found"]]

    assert found(q="facets") == ["facets_of_mine", "facets_of_yours"]
    assert found(q="facets", own="true") == ["facets", "facets_of_mine", "facets_of_yours"]
    assert found(q="uuid_of", kind="column") == []
    assert found(q="uuid_of", kind="column", own="true") == ["facets"]
    without = asking.get("/search", params={"q": "facets"}).text
    assert re.search(r'href="[^"]*/search\?q=facets&amp;own=true">Show the platform', without)
    shown = asking.get("/search", params={"q": "facets", "own": "true", "limit": 1}).text
    assert '<input type="hidden" name="own" value="true">' in shown
    assert re.search(r'href="[^"]*/search\?q=facets&amp;limit=1">Leave out the platform', shown)
    assert re.search(r'rel="next" href="[^"]*&amp;own=true&amp;limit=1&amp;after=', shown)
    parameters = asking.get("/api/openapi.json").json()["paths"]["/api/search"]["get"]["parameters"]
    assert {"own": "boolean"}.items() <= {one["name"]: one["schema"].get("type") for one in parameters}.items()


def test_many_names_are_put_in_order_a_few_at_a_time_and_the_page_says_so(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, [run_event("COMPLETE", outputs=[dataset("orders"), dataset("my_orders")])])
    asking = client(database)
    note = "put in order some hundreds at a time"
    assert note not in asking.get("/search", params={"q": "orders"}).text
    monkeypatch.setattr(searching, "PUT_IN_ORDER", 1)
    assert note in asking.get("/search", params={"q": "orders"}).text


def test_texts_side_by_side_show_the_lines_that_differ() -> None:
    assert line_changes("-- all\nSELECT a\nFROM t", "SELECT a\nFROM t") == [
        ("-", "-- all"),
        (" ", "SELECT a"),
        (" ", "FROM t"),
    ]
    assert line_changes(None, "one\ntwo") == [("+", "one"), ("+", "two")]
    assert line_changes(17, "@@ one") == [("-", "17"), ("+", "@@ one")]


def test_the_graph_is_that_of_its_moment_and_a_comparison_shows_what_came(filled: Store) -> None:
    def reads_discounts(found: Any) -> bool:
        return "discounts" in {node["name"] for node in found["nodes"]}

    asking = client(filled)
    assert not reads_discounts(as_json(asking, "graph", **ORDER_LINES, at=moment(1).isoformat()))
    now = as_json(asking, "graph", **ORDER_LINES, compare=moment(1).isoformat())
    assert reads_discounts(now)
    assert len(now["difference"]["came"]) == 1
    assert now["difference"]["went"] == []
    before = as_json(asking, "graph", **ORDER_LINES, at=now["changes"]["before"])
    assert not reads_discounts(before)
    assert reads_discounts(as_json(asking, "graph", **ORDER_LINES, at=before["changes"]["next"]))


def test_a_graph_has_its_history_and_what_started_its_jobs(filled: Store) -> None:
    asking = client(filled)
    history = as_json(asking, "graph", **ORDER_LINES)["history"]
    began = moment(0) + timedelta(hours=3)
    # From when on it is written; then who reads that and what is made of it, and what is read from the fourth day on.
    assert [one[:16] for one in history["moments"]] == [
        *((began + timedelta(minutes=minutes)).isoformat()[:16] for minutes in (21, 41, 61)),
        (began + timedelta(days=CHANGED_ON, minutes=24)).isoformat()[:16],
    ]
    assert history["from"] == history["moments"][0]
    # What went is there, too, though no edge that is shown has it.
    job = {"kind": "job", "namespace": "shop", "name": "join_orders"}
    gone = as_json(asking, "graph", **job, at=moment(1).isoformat())["history"]["moments"]
    assert moment(CHANGED_ON).isoformat()[:10] in [one[:10] for one in gone]
    started = run_event("COMPLETE", job=named_job("nightly.load"), facets=parent(str(UUID(int=5)), "nightly"))
    take_in(filled, [started | {"outputs": [dataset("raw_orders", WAREHOUSE)]}])
    found = as_json(asking, "graph", **ORDER_LINES, depth=6)
    (load,) = (node["id"] for node in found["nodes"] if node["name"] == "nightly.load")
    assert found["parents"] == {load: "nightly"}
    assert 'data-from="' + history["from"][:10] in asking.get("/graph", params=ORDER_LINES).text


def test_a_plan_of_retention_says_what_would_go_and_what_stays(filled: Store) -> None:
    policies.set_policy(filled, Policy(PolicyKind.RUNS, "shop", timedelta(days=1), None))
    held = policies.HeldThing("shop", job="leaderboard")
    policies.add_hold(filled, held, "a <b>dispute</b>", None)
    planned = retention.plan(filled)
    assert planned.tables["runs"] > 0
    assert planned.protected
    asking = client(filled)
    (plan,) = as_json(asking, "retention")["plans"]
    assert "runs" in [one["kind"] for one in as_json(asking, "retention")["policies"]]
    assert (plan["id"], plan["written"]["bytes"], plan["is_applied"]) == (planned.number, planned.bytes, False)
    shown = html.unescape(asking.get("/retention").text)
    assert f"<li>runs: {planned.tables['runs']}</li>" in shown
    assert "legal hold" in shown
    assert "<b>dispute" not in asking.get("/retention").text
    retention.apply(filled, planned)
    assert [one["is_applied"] for one in as_json(asking, "retention")["plans"]] == [True]


def test_pages_of_a_list_have_each_name_once(filled: Store) -> None:
    take_in(filled, [run_event("COMPLETE", job=named_job("load_orders", "another"), run_id=f"{n}") for n in range(3)])
    asking, names, after = client(filled), list[tuple[str, str]](), None
    for _ in range(10):  # more would be for ever
        found = as_json(asking, "jobs", limit=2, **({"after": after} if after else {}))
        names += [(one["name"], one["namespace"]) for one in found["jobs"]]
        after = found["next"]
        assert found["complete"] == (after is None)
        if after is None:
            break
    assert names == sorted(set(names))
    assert len(names) == 5


def test_pages_of_runs_go_back_in_time_and_have_each_run_once(filled: Store) -> None:
    """Also of runs that began at the same moment, as those of one DAG run may."""
    take_in(filled, [run_event("COMPLETE", job=named_job("at once"), run_id=f"{n}") for n in range(3)])
    asking, found, after = client(filled), list[dict[str, Any]](), None
    for _ in range(20):  # more would be for ever
        page = as_json(asking, "runs", limit=2, **({"after": after} if after else {}))
        found += page["runs"]
        after = page["next"]
        if after is None:
            break
    assert [run["run"] for run in found] == [run["run"] for run in as_json(asking, "runs", limit=100)["runs"]]
    assert len({run["run"] for run in found}) == len(found) > 4
    assert asking.get("/api/runs", params={"after": "[1, 2]"}).status_code == 422


def test_what_events_say_is_text_on_every_page(database: Store) -> None:
    made = dataset(HOSTILE, HOSTILE, fields=[(HOSTILE[:200], HOSTILE)])
    take_in(database, [run_event("COMPLETE", run_id=str(FAILED), job=named_job(HOSTILE, HOSTILE), outputs=[made])])
    asking = client(database)
    (job,) = as_json(asking, "jobs")["jobs"]
    (found,) = as_json(asking, "datasets")["datasets"]
    named = {"namespace": found["namespace"], "name": found["name"]}
    for page, asked in [
        ("overview", {}),
        ("search", {"q": "alert"}),
        ("search", {"q": HOSTILE}),
        ("datasets", {}),
        ("datasets", named),
        ("jobs", {"namespace": job["namespace"], "name": job["name"]}),
        ("runs", {"run": str(FAILED)}),
        ("graph", named),
        ("explain", {"run": str(FAILED)}),
        ("affected", {"run": str(FAILED)}),
        ("impact", named | {"drop": HOSTILE[:200]}),
        ("datasets", {"namespace": HOSTILE, "name": "<b>no such dataset</b>"}),
        ("dags", {"dag": HOSTILE, "run": HOSTILE}),
    ]:
        shown = asking.get(address(page), params=asked).text
        assert [part for part in ("<script>alert", "<img src=x", "<b>no such") if part in shown] == [], page
        assert "\u202e" not in re.sub(r'value="[^"]*"', "", shown), page  # a field sends again what is in it


def test_every_answer_forbids_what_no_page_needs(filled: Store) -> None:
    asking = client(filled)
    for path in ("/", "/nothing", "/api/overview", "/static/lineage.js", "/runs?run=no+uuid"):
        headers = asking.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_no_route_is_answered_before_the_proxy_says_who_asks(filled: Store) -> None:
    asking = client(filled, user_header="X-User")
    paths = [path for page in all_pages() for path in (page.address, f"/api/{page.name}")]
    for path in (*paths, "/api/openapi.json", "/static/lineage.js"):
        assert (path, asking.get(path).status_code) == (path, 401)
        assert (path, asking.get(path, headers={"X-User": " "}).status_code) == (path, 401)
        assert asking.get(path, headers={"X-User": "alice"}).status_code in (200, 404, 422)
    twice = asking.get("/", headers=[("X-User", "alice"), ("X-User", "root")])
    assert twice.status_code == 401


def test_another_site_whose_name_leads_here_is_refused(filled: Store) -> None:
    assert client(filled).get("/", headers={"Host": "evil.example"}).status_code == 400


def test_pages_that_ask_no_one_are_not_for_others(database: Store) -> None:
    with pytest.raises(WrongUsage, match="--user-header"):
        serve(database, "0.0.0.0", 0, None)


def test_no_session_of_the_pages_can_write_or_takes_for_ever(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with ReaderStore(filled.dsn).session("lineage_reader") as connection:
        assert connection.execute("SHOW transaction_read_only").fetchone() == ("on",)
    monkeypatch.setattr(reader_store, "SECONDS", 0.001)
    asking = client(filled)
    shown = asking.get("/search", params={"q": "order"})
    assert shown.status_code == 503
    assert "Ask for less at once" in shown.text


def test_what_cannot_be_shown_says_why_and_where_to_go_on(filled: Store) -> None:
    asking = client(filled)
    for path, status, words in [
        ("/datasets?namespace=postgres://warehouse:5432&name=order_line", 404, "nearest name is &#39;order_lines&#39;"),
        ("/runs?run=0190a0a0-0000-7000-8000-00000000ffff", 404, "knows no run"),
        ("/runs?run=17", 422, "is no uuid, such as"),
        ("/jobs?after=17x", 422, "Begin without `after`"),
        ("/graph?namespace=a&name=b&at=soon", 422, "soon"),
        ("/nowhere", 404, "Not Found"),
    ]:
        shown = asking.get(path)
        assert (path, shown.status_code) == (path, status)
        assert words in shown.text
        assert asking.get(path, headers={"Accept": "application/json"}).json()["status"] == status


def test_the_description_names_every_page(filled: Store) -> None:
    described = client(filled).get("/api/openapi.json").json()
    spreadsheets = {"/csv/affected", "/csv/impact"}
    assert set(described["paths"]) == {f"/api/{page.name}" for page in all_pages()} | spreadsheets
    assert all(one["get"]["summary"] for one in described["paths"].values())


def test_files_are_kept_by_browsers_as_long_as_they_do_not_change(filled: Store) -> None:
    asking = client(filled)
    (script,) = [part for part in asking.get("/").text.split('"') if "lineage.js" in part]
    assert "immutable" in asking.get(script.removeprefix("/lineage")).headers["cache-control"]
    assert asking.get("/static/lineage.js").headers["cache-control"] == "no-cache"
    assert asking.get("/static/../page.py").status_code == 404
