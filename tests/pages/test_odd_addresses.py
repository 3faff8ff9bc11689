"""What people and programs put into an address, and what the answer is where it cannot be."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lineage_core.local.ports import PAGES
from lineage_core.pages.page import all_pages
from lineage_core.pages.routes import runs
from lineage_core.pages.serving import served
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, named_job, run_event
from tests.support.served_pages import client
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

WAREHOUSE = "postgres://warehouse:5432"
ORDERS = {"namespace": WAREHOUSE, "name": "orders"}
NUL = "a\0b"
DEEP = "[" * 5_000
BEFORE_THE_FIRST, BEHIND_THE_LAST = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"
RUN = "0190a0a0-0000-7000-8000-000000000001"
UNKNOWN_ID = "0190a0a0-0000-7000-8000-00000000ffff"
SECRET = "what only the store should know"

ODD: list[tuple[str, dict[str, str]]] = [
    *(
        (page, known | {name: NUL})
        for page, known, names in (
            ("search", {}, ("q",)),
            ("graph", ORDERS, ("namespace", "name", "column", "after")),
            ("datasets", ORDERS, ("namespace", "name")),
            ("jobs", {}, ("namespace", "name")),
            ("dags", {"dag": "nightly"}, ("dag", "run")),
            ("impact", ORDERS, ("namespace", "name", "drop")),
            ("streams", {}, ("name",)),
        )
        for name in names
    ),
    *(
        ("graph", ORDERS | {name: time})
        for name in ("at", "compare", "known_at")
        for time in (BEFORE_THE_FIRST, BEHIND_THE_LAST, "yesterday")
    ),
    ("acts", {"before": "9" * 30}),
    ("quarantine", {"document": "9" * 30}),
    *((page, {"q": "o", "after": DEEP}) for page in ("search", "datasets", "jobs", "runs")),
    *((page, ORDERS | {"drop": "id", "after": DEEP}) for page in ("graph", "impact")),
    *(("graph", ORDERS | {"after": f"3@{time}"}) for time in (BEFORE_THE_FIRST, "junk")),
    *(("graph", ORDERS | {"after": number}) for number in ("-3", "9" * 30)),
    ("affected", {"run": RUN, "after": "junk"}),
    *((page, {"after": after}) for page in ("datasets", "jobs") for after in ('["\\u0000", "x"]', '["\\ud800", "x"]')),
    ("datasets", {"after": "[1, 2]"}),
    ("runs", {"after": '["9999-99-99", "x"]'}),
    ("runs", {"before": "junk"}),
    ("runs", {"run": "junk"}),
    ("graph", ORDERS | {"kind": "table"}),
    ("graph", ORDERS | {"direction": "sideways"}),
    ("dags", {}),
]

_WORDS_OF_OTHERS = ("Input should", "String should", "Field required", "enum[", "--")
"""Those of Pydantic, and options of commands."""


@pytest.fixture
def filled(database: Store) -> Store:
    made = dataset("orders", WAREHOUSE, fields=[("id", "INT")])
    take_in(database, [run_event("COMPLETE", run_id=RUN, job=named_job("load", "shop"), outputs=[made])])
    return database


def address(page: str) -> str:
    return next(one.address for one in all_pages() if one.name == page)


def test_what_cannot_be_asked_for_is_refused_in_words(filled: Store) -> None:
    asking = client(filled)
    for page, asked in ODD:
        of = (page, {name: value[:50] for name, value in asked.items()})
        shown, answer = asking.get(address(page), params=asked), asking.get(f"/api/{page}", params=asked)
        expected = 404 if page == "quarantine" else 422
        assert (of, shown.status_code, answer.status_code) == (of, expected, expected)
        assert (of, f'<a href="{PAGES}{address(page)}">Back to the page</a>' in shown.text) == (of, True)
        assert answer.json().keys() == {"status", "error"}
        assert (of, [words for words in _WORDS_OF_OTHERS if words in answer.json()["error"]]) == (of, [])


def test_beside_what_is_wrong_stands_what_was_typed_to_be_mended(filled: Store) -> None:
    asking = client(filled)
    asked = ORDERS | {"at": "yestereve", "kind": '"><script>alert(1)</script>', "drop": ["a", "b"]}
    page = asking.get("/graph", params=asked)
    assert page.status_code == 422
    fields = re.findall(r'<input id="typed-\d+" name="([^"]*)" value="([^"]*)"', page.text)
    assert [(html.unescape(name), html.unescape(value)) for name, value in fields] == [
        *ORDERS.items(),
        ("at", "yestereve"),
        ("kind", '"><script>alert(1)</script>'),
        ("drop", "a"),
        ("drop", "b"),
    ]
    assert f'<form class="bar" action="{PAGES}/graph">' in page.text
    assert "<script>alert" not in page.text
    assert "typed-1" not in asking.get("/nowhere", params={"q": "x"}).text


def test_an_event_of_the_first_moment_has_a_graph(database: Store) -> None:
    made = dataset("orders", WAREHOUSE)
    take_in(database, [run_event("COMPLETE", time="0001-01-01T00:00:00Z", outputs=[made])])
    found = client(database).get("/api/graph", params=ORDERS).raise_for_status().json()
    assert found["changes"] == {"before": None, "next": None}


UNKNOWN: list[tuple[str, dict[str, str]]] = [
    ("runs", {"run": UNKNOWN_ID}),
    ("explain", {"run": UNKNOWN_ID}),
    ("affected", {"run": UNKNOWN_ID}),
    ("affected", {"version": UNKNOWN_ID}),
    ("datasets", ORDERS | {"name": "order"}),
    ("jobs", ORDERS),
    ("graph", ORDERS | {"kind": "column", "column": "price"}),
    ("impact", ORDERS | {"drop": "price"}),
    ("streams", {"name": "jbos"}),
    ("quarantine", {"document": "17"}),
]


def test_what_the_store_does_not_know_is_not_found_and_what_is_off_is_a_conflict(filled: Store) -> None:
    asking = client(filled)
    for page, asked in UNKNOWN:
        answer = asking.get(f"/api/{page}", params=asked)
        assert (page, asked, answer.status_code) == (page, asked, 404)
        assert (page, asked, "--" in answer.json()["error"]) == (page, asked, False)
    off = asking.get("/api/graph", params=ORDERS | {"known_at": "2026-01-01"})
    assert (off.status_code, "these are off" in off.json()["error"]) == (409, True)


def test_a_form_may_have_spaces_and_empty_fields(filled: Store) -> None:
    asking = client(filled)
    for page in ("affected", "runs", "explain"):
        assert (page, asking.get(f"/{page}", params={"run": f" {RUN} "}).status_code) == (page, 200)
        assert (page, asking.get(f"/{page}", params={"run": " "}).status_code) == (page, 200)
    asked = ORDERS | dict.fromkeys(("column", "at", "compare", "known_at", "depth"), "")
    empty, usual = (asking.get("/api/graph", params=one).json() for one in (asked, ORDERS))
    assert empty["nodes"] == usual["nodes"] != []


def test_an_error_of_our_own_is_a_page_that_reveals_nothing(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr(runs, "listed", fails)
    asking = TestClient(
        served(filled),
        base_url=f"http://127.0.0.1{PAGES}",
        headers={"Accept": "text/html"},
        raise_server_exceptions=False,
    )
    page, answer = asking.get("/runs"), asking.get("/api/runs")
    assert (page.status_code, answer.status_code) == (500, 500)
    assert "The log of the server says what" in page.text
    assert 'href="/lineage/runs">Back to the page</a>' in page.text
    assert answer.json().keys() == {"status", "error"}
    for one in (page, answer):
        assert "default-src 'none'" in one.headers["content-security-policy"]
        assert one.headers["cache-control"] == "no-store"
        assert SECRET not in one.text
    # The server gets it, and logs it with its traceback.
    with pytest.raises(ZeroDivisionError):
        client(filled).get("/runs")


def test_a_page_is_asked_for_its_head_and_says_which_methods_it_has(filled: Store) -> None:
    asking = client(filled)
    for path in ("/", "/datasets", "/api/datasets", "/csv/impact", "/static/lineage.js", "/api/openapi.json"):
        head, whole = asking.head(path), asking.get(path)
        assert (path, head.status_code) == (path, 200)
        assert head.headers["content-type"] == whole.headers["content-type"]
    refused = asking.put("/impact")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, POST")
    assert asking.post("/api/datasets").headers["allow"] == "GET, HEAD"
    assert asking.get("/acts/streams").headers["allow"] == "POST"
