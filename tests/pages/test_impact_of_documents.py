"""The impact page of a document that a person sends, and who may send one."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from lineage_core.pages import uploads
from lineage_core.postgres.store import Store
from tests.support.served_pages import client
from tests.support.shop import WAREHOUSE, shop_events
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

CONTRACT = """
apiVersion: v3.0.2
kind: DataContract
id: orders
schema:
  - name: order_lines
    physicalName: order_lines
    properties:
      - name: id
        logicalType: integer
        physicalType: INTEGER
"""

LEADERBOARD = 'name=leaderboard" title="shop">leaderboard</a>'
"""A job that is hit, as a page leads to it."""


@pytest.fixture
def asking(database: Store) -> TestClient:
    take_in(database, shop_events())
    return client(database)


def send(asking: TestClient, text: str | bytes, path: str = "/impact", **others: Any) -> Any:
    headers = others.pop("headers", {})
    fields = {"kind": "contract", "namespace": WAREHOUSE} | others
    return asking.post(path, data=fields, files={"document": ("orders.yaml", text)}, headers=headers)


def test_a_contract_and_a_manifest_say_who_is_hit(asking: TestClient) -> None:
    shown = send(asking, CONTRACT)
    assert shown.status_code == 200
    assert LEADERBOARD in shown.text
    assert "orders.yaml" in shown.text
    found = send(asking, CONTRACT, "/api/impact").json()
    assert found["document"] == {
        "kind": "contract",
        "namespace": WAREHOUSE,
        "dataset": None,
        "name": "orders.yaml",
        "pasted": None,
    }
    assert [(one["dataset"], one["changed"]) for one in found["impact"]["datasets"]] == [
        (f"{WAREHOUSE}/order_lines", ["amount"])
    ]
    model = {
        "resource_type": "model",
        "database": None,
        "schema": None,
        "alias": "order_lines",
        "name": "order_lines",
        "relation_name": "order_lines",
        "columns": {"id": {"name": "id", "data_type": "INTEGER"}},
    }
    manifest = json.dumps({"metadata": {"adapter_type": "postgres"}, "nodes": {"model.shop.order_lines": model}})
    of_manifest = send(asking, manifest, "/api/impact", kind="manifest").json()
    assert [one["job"] for one in of_manifest["impact"]["consumers"]] == [
        one["job"] for one in found["impact"]["consumers"]
    ]


def paste(asking: TestClient, text: str, path: str = "/impact", **others: Any) -> Any:
    """As a browser sends it, with no file chosen."""
    fields = {"kind": "contract", "namespace": WAREHOUSE, "pasted": text} | others
    return asking.post(path, data=fields, files={"document": ("", b"")})


def test_a_pasted_text_is_read_as_a_file_is_and_shown_again(asking: TestClient) -> None:
    of_lines = CONTRACT.replace("\n", "\r\n")
    found = paste(asking, of_lines, "/api/impact").json()
    assert found["impact"]["datasets"] == send(asking, CONTRACT, "/api/impact").json()["impact"]["datasets"]
    assert found["document"]["name"] == ""
    assert found["document"]["pasted"] == of_lines.strip()
    shown = paste(asking, CONTRACT).text
    assert "as the pasted text describes them" in shown
    assert LEADERBOARD in shown
    assert f">\n{CONTRACT.strip()}</textarea>" in shown


def test_a_pasted_text_is_text_and_nothing_else(asking: TestClient) -> None:
    hostile = "# </textarea><script>alert(1)</script>\n" + CONTRACT
    shown = paste(asking, hostile)
    assert shown.status_code == 200
    assert "<script>alert" not in shown.text
    assert "# &lt;/textarea&gt;&lt;script&gt;alert(1)" in shown.text


def test_a_pasted_text_that_is_too_large_or_beside_a_file_is_refused(asking: TestClient) -> None:
    refused = paste(asking, "a" * (uploads.LARGEST_PASTED + 1))
    assert refused.status_code == 413
    assert "Paste at most 2,000,000 bytes, or choose the file" in refused.text
    contract = send(asking, CONTRACT + "#" * uploads.LARGEST_CONTRACT)
    assert (contract.status_code, "`lineage impact` takes larger ones" in contract.text) == (413, True)
    both = send(asking, CONTRACT, pasted=CONTRACT)
    assert both.status_code == 422
    assert "send one of them" in both.text
    assert "Choose a file or paste its text" in paste(asking, " \n").text


def test_a_pasted_schema_of_a_dataset_says_who_is_hit(asking: TestClient) -> None:
    """The form is on the page of the dataset, and on that of the answer."""
    of_schema = {"kind": "schema", "dataset": "order_lines"}
    schema = '{"fields": [{"name": "id", "type": "INTEGER"}]}'
    found = paste(asking, schema, "/api/impact", **of_schema).json()
    assert found["impact"] == paste(asking, CONTRACT, "/api/impact").json()["impact"] | {
        "as_of": found["impact"]["as_of"]
    }
    assert found["document"]["dataset"] == "order_lines"
    of_dataset = asking.get("/impact", params={"namespace": WAREHOUSE, "name": "order_lines"}).text
    answer = paste(asking, schema, **of_schema).text
    for page in (of_dataset, answer):
        assert '<input type="hidden" name="dataset" value="order_lines">' in page
    assert "gets this schema" in answer
    assert LEADERBOARD in answer
    assert f">\n{html.escape(schema)}</textarea>" in answer.replace("&#34;", "&quot;")


@pytest.mark.parametrize(
    ("text", "dataset", "words"),
    [
        ("[1, 2", "order_lines", "The text is no JSON that can be read"),
        ("[]", "order_lines", "The text has no fields"),
        ('[{"type": "INTEGER"}]', "order_lines", "no list of fields, each with a name"),
        ('[{"name": "id"}]', "", "open the impact page of the dataset"),
        ('[{"name": "id"}]', "nothing has this name", "No event has named"),
    ],
)
def test_a_schema_that_says_nothing_is_refused_with_words(
    asking: TestClient, text: str, dataset: str, words: str
) -> None:
    refused = paste(asking, text, kind="schema", dataset=dataset)
    assert refused.status_code == (404 if words == "No event has named" else 422)
    assert words in refused.text


def test_a_column_that_is_renamed_is_in_the_address(asking: TestClient) -> None:
    named = {"namespace": WAREHOUSE, "name": "order_lines"}
    found = asking.get("/api/impact", params=named | {"rename": "amount", "to": "sum"}).json()
    assert found["impact"]["changed"] == ["amount"]
    assert found["dataset"]["renamed"] == [["amount", "sum"]]
    shown = asking.get("/impact", params=named | {"rename": ["amount", ""], "to": ["sum", ""], "limit": 1}).text
    assert "rename=amount&amp;to=sum&amp;limit=1&amp;after=" in shown
    assert asking.get("/impact", params=named | {"rename": "amount"}).status_code == 422


@pytest.mark.parametrize(
    ("text", "others", "words"),
    [
        (b"", {}, "Choose a file"),
        (CONTRACT, {"namespace": " "}, "Choose a file"),
        (CONTRACT, {"kind": "sql"}, "Choose a file"),
        (CONTRACT, {"namespace": "a\0"}, "no name here has"),
        (b"\xff\xfe", {}, "is no text in UTF-8"),
        ("[1, 2", {"kind": "manifest"}, "The text"),
    ],
)
def test_what_cannot_be_read_says_why(
    asking: TestClient, text: str | bytes, others: dict[str, Any], words: str
) -> None:
    refused = send(asking, text, **others)
    assert refused.status_code == 422
    assert words in refused.text


def test_a_form_of_another_site_is_refused(asking: TestClient) -> None:
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ):
        assert (headers, send(asking, CONTRACT, headers=headers).status_code) == (headers, 403)
    for headers in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://127.0.0.1"}, {"Origin": "https://127.0.0.1"}):
        assert (headers, send(asking, CONTRACT, headers=headers).status_code) == (headers, 200)


def test_no_form_is_read_before_the_proxy_says_who_sends_it_nor_a_large_one(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, shop_events())
    behind_a_proxy = client(database, user_header="X-User")
    assert send(behind_a_proxy, CONTRACT).status_code == 401
    assert send(behind_a_proxy, CONTRACT, "/api/impact").status_code == 401
    assert send(behind_a_proxy, CONTRACT, headers={"X-User": "alice"}).status_code == 200
    monkeypatch.setattr(uploads, "LARGEST", 100)
    assert send(client(database), CONTRACT).status_code == 413
    assert send(behind_a_proxy, CONTRACT).status_code == 401


def test_no_other_page_takes_a_form(asking: TestClient) -> None:
    for path in ("/", "/search", "/graph", "/quarantine", "/migrations", "/retention"):
        assert (path, asking.post(path).status_code) == (path, 405)
