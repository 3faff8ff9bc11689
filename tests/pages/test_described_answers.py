"""What pages answer is what their description says: each member, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from lineage_core import quarantine
from lineage_core.long_migrations.store import records
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.pages.page import all_pages
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import policies
from lineage_core.retention.tables import PolicyKind
from lineage_core.streams.publication import publish
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, facet, named_job, parent, run_event
from tests.pages.test_pages import EVERY_ADDRESS, ORDER_LINES
from tests.support.changes import start_all
from tests.support.explained_runs import SUMMED, week
from tests.support.served_pages import client
from tests.support.servers import Databases
from tests.support.several_stores import two_stores
from tests.support.shop import FAILED, WAREHOUSE, moment, shop_events
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

NIGHTLY, LOAD = (f"0190a0a0-0000-7000-8000-{number:012}" for number in (1, 2))
JOINED = next(one["run"]["runId"] for one in shop_events() if one["job"]["name"] == "join_orders")
COMPARED = {"compare": moment(1).isoformat(), "depth": 6}
OF_LOAD = {"namespace": "shop", "name": "nightly.load"}
LOADED = {"namespace": WAREHOUSE, "name": "raw_orders"}

MORE_ADDRESSES: list[tuple[str, dict[str, Any]]] = [
    ("search", {"q": "gold", "kind": "tag"}),
    ("search", {"q": "shop", "kind": "owner"}),
    ("search", {"q": "no such name", "kind": "owner"}),
    ("search", {"q": "shop", "facet": "ownership"}),
    ("search", {"q": "order", "kind": "column", "limit": 1}),
    ("search", {"q": "ordr_lines"}),
    ("graph", LOADED | COMPARED),
    ("graph", ORDER_LINES | COMPARED),
    ("datasets", LOADED),
    ("datasets", {"limit": 1}),
    ("jobs", OF_LOAD),
    ("jobs", {"limit": 1}),
    ("runs", {"run": LOAD}),
    ("runs", {"run": NIGHTLY}),
    ("runs", {"limit": 1}),
    ("dags", {"dag": "nightly", "run": "manual"}),
    ("explain", {"run": NIGHTLY}),
    ("explain", {"run": str(SUMMED)}),
    ("affected", {"run": LOAD}),
    ("affected", {"run": JOINED}),
    ("impact", ORDER_LINES | {"drop": "amount", "rename": "id", "to": "number", "limit": 1}),
    ("quarantine", {"limit": 1}),
    ("streams", {"name": "jobs"}),
]
"""Beside those at which each page is asked: answers with rows in each of their lists."""


def described(asking: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = asking.get("/api/openapi.json").raise_for_status().json()
    return found


def schema_of(description: dict[str, Any], page: str, method: str = "get") -> dict[str, Any]:
    """That of an answer, with all that it refers to; a member that it does not name is refused."""
    answers = description["paths"][f"/api/{page}"][method]["responses"]["200"]["content"]["application/json"]
    found: dict[str, Any] = strict(answers["schema"])
    return found | {"components": strict(description["components"])}


def strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {name: strict(one) for name, one in schema.items()}
    return found | {"additionalProperties": False} if isinstance(found.get("properties"), dict) else found


def faults(schema: dict[str, Any], answer: Any) -> list[str]:
    found = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).iter_errors(answer)
    return [leaf for error in found for leaf in _leaves(error)]


def _leaves(error: Any) -> Iterator[str]:
    """What is wrong deepest within, of all that an answer may be."""
    if not error.context:
        yield f"{error.json_path}: {error.message[:300]}"
    for one in error.context:
        yield from _leaves(one)


def nightly_events() -> Iterator[Any]:
    """A DAG run of Airflow whose task failed, once it had written a dataset with rows, bytes, tags and owners."""
    airflow = {"airflowDagRun": facet(dag={"dag_id": "nightly"}, dagRun={"run_id": "manual"})}
    labels = {
        "tags": facet(tags=[{"key": "tier", "value": "gold", "source": "CONFIG"}]),
        "ownership": facet(owners=[{"name": "Shop Team", "type": "OWNER"}]),
    }
    error = {"errorMessage": facet(message="no number: '12,50'", programmingLanguage="python")}
    counts = {"outputStatistics": facet(rowCount=10, size=1_000)}
    made = dataset("raw_orders", WAREHOUSE, fields=[("id", "INTEGER")], facets=labels, output_facets=counts)
    for run, name, own in ((NIGHTLY, "nightly", airflow), (LOAD, "nightly.load", parent(NIGHTLY, "nightly"))):
        job = named_job(name, facets={"ownership": labels["ownership"]})
        yield run_event("START", run_id=run, job=job, time=TIME, facets=own)
        failing = own | (error if run == LOAD else {})
        outputs = [made] if run == LOAD else []
        later = TIME + timedelta(minutes=5)
        yield run_event("FAIL", run_id=run, job=job, time=later, facets=failing, outputs=outputs)


def fill(store: Store) -> None:
    before = moment(0) - timedelta(days=1)
    early = dataset("raw_orders", WAREHOUSE, output_facets={"outputStatistics": facet(rowCount=7, size=700)})
    loaded = run_event("COMPLETE", run_id=f"{LOAD[:-1]}9", job=named_job("nightly.load"), time=before, outputs=[early])
    refused = run_event() | {"run": {}}
    take_in(store, [refused, loaded, *shop_events(), *nightly_events(), *week(error="no such column", dropped=1)])


@pytest.fixture
def filled(database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """With something on each page."""
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path))
    operator = Store(database.dsn, person="ann")
    retention.apply(operator, retention.plan(operator))
    start_all(database)
    fill(database)
    publish(database, str(tmp_path), SerialRunner())
    with database.connect() as connection:
        quarantine.put(connection, [RefusedDocument(b"one", "not JSON", "$", "a file")])
    policies.set_policy(operator, Policy(PolicyKind.RUNS, "shop", timedelta(days=1), 2))
    policies.add_hold(operator, policies.HeldThing("shop", job="leaderboard"), "a dispute", None)
    retention.plan(operator)
    records.plan(operator, "facets")
    return database


def test_every_page_says_what_it_answers(database: Store) -> None:
    paths = described(client(database))["paths"]
    answers = [
        (path, "schema" in operation["responses"]["200"]["content"]["application/json"])
        for path, methods in paths.items()
        for operation in methods.values()
        if path.startswith("/api/")
    ]
    assert {path for path, _ in answers} == {f"/api/{page.name}" for page in all_pages()}
    assert [path for path, has_schema in answers if not has_schema] == []


def test_members_with_a_default_are_in_every_answer(database: Store) -> None:
    """A class of which this names members takes `WHOLE` of the description."""
    schemas = described(client(database))["components"]["schemas"].items()
    assert [
        (name, member)
        for name, schema in schemas
        for member, value in schema.get("properties", {}).items()
        if "default" in value and member not in schema.get("required", ())
    ] == []


def test_every_answer_has_the_members_that_its_page_describes(filled: Store) -> None:
    asking = client(filled)
    description = described(asking)
    wrong = {}
    for page, asked in [*EVERY_ADDRESS, *MORE_ADDRESSES]:
        answer = asking.get(f"/api/{page}", params=asked).raise_for_status().json()
        if found := faults(schema_of(description, page), answer):
            wrong[f"{page} {asked}"] = found
    assert wrong == {}


def test_the_answer_about_a_sent_document_has_the_members_that_are_described(filled: Store) -> None:
    asking = client(filled)
    form = ORDER_LINES | {"kind": "schema", "dataset": "order_lines", "pasted": "id INTEGER"}
    fields = '[{"name": "id", "type": "INTEGER"}]'
    sent = asking.post("/api/impact", data=form | {"pasted": fields}, files={"document": ("", b"")})
    answer = sent.raise_for_status().json()
    assert answer["impact"]["consumers"]
    assert faults(schema_of(described(asking), "impact", "post"), answer) == []


def test_answers_over_the_borders_of_a_store_are_described_too(
    filled: Store, databases: Databases, _template: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = client(filled)
    description = described(asking)
    with databases.copied(_template) as other:
        fill(other)
        two_stores(filled, other, tmp_path, monkeypatch)
        addresses: list[tuple[str, dict[str, Any]]] = [
            ("graph", ORDER_LINES | COMPARED),
            ("impact", ORDER_LINES | {"drop": "amount"}),
            ("affected", {"run": JOINED}),
        ]
        for page, asked in addresses:
            answer = asking.get(f"/api/{page}", params=asked).raise_for_status().json()
            assert answer.get("impact", answer)["elsewhere"]
            assert faults(schema_of(description, page), answer) == []


def test_a_member_that_is_not_described_is_a_fault_and_so_is_one_that_is_missing(filled: Store) -> None:
    asking = client(filled)
    schema = schema_of(described(asking), "explain")
    answer = asking.get("/api/explain", params={"run": str(FAILED)}).raise_for_status().json()
    assert faults(schema, answer) == []
    cause = answer["causes"][0]
    assert faults(schema, answer | {"more": 1})
    assert faults(schema, answer | {"causes": [cause | {"more": 1}]})
    assert faults(schema, {name: value for name, value in answer.items() if name != "cut"})
    assert faults(schema, answer | {"causes": [cause | {"weight": "0.5"}]})
